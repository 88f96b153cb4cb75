const WIDTH = 100

/** A text as a docstring, wrapped, with a line break behind it; nothing for no text. */
export function docstring(text: string, indent: number): string {
  if (text === '') return ''
  const margin = ' '.repeat(indent)
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  const lines = safe.split('\n').flatMap((line) => wrapped(line, WIDTH - indent - 3))
  const [only = ''] = lines
  if (lines.length === 1) return `${margin}"""${only}${only.endsWith('"') ? ' ' : ''}"""\n`
  return `${[`"""${only}`, ...lines.slice(1), '"""'].map((line) => (line === '' ? '' : margin + line)).join('\n')}\n`
}

function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}
