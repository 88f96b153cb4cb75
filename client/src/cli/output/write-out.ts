import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../io.ts'
import { escaped } from './visible.ts'

/**
 * The one writer of standard output. On a terminal it escapes what a terminal would obey, except for the styles of `Paint`.
 * A file or a pipe gets the text as it is. Resolves once the stream takes more, so that a slow reader slows the writer.
 */
export function writeOut(output: Output, text: string): Promise<void> {
  const sent = output.isTTY === true ? text.split(STYLE).map(escapedPart).join('') : text
  return new Promise((resolve, reject) => {
    output.write(sent, (error) => (error ? reject(error) : resolve()))
  })
}

/** A style of `styleText`: bold, dim or a colour, or its end. */
// oxlint-disable-next-line no-control-regex -- it begins with ESC
const STYLE = /(\u001b\[\d{1,2}m)/

/** `split` puts the styles at the odd places. */
const escapedPart = (part: string, index: number): string => (index % 2 === 1 ? part : escaped(part))

export const writeLine = (output: Output, line: string): Promise<void> => writeOut(output, `${line}\n`)

/** Says why standard output takes no more, unless its reader has gone, as `head` does. The exit code of the process. */
export function reportBrokenOutput(stderr: Output, error: NodeJS.ErrnoException): ExitCode {
  if (error.code === 'EPIPE') return EXIT.ok
  stderr.write(`recollect: Standard output cannot be written: ${error.message}\n`)
  return EXIT.failure
}
