/** A text as one word of a POSIX shell, whatever characters it holds. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A command line with one argument a line. */
export const commandLine = (...words: readonly string[]): string => words.join(' \\\n  ')
