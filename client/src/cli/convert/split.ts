/** Of an item's text (contract §3), in characters. */
export const MAX_TEXT = 65_536

/** Where a text is cut, best first: before a heading, at an empty line, at a line, behind a sentence, at a space. */
const CUTS = [/\n(?=#{1,6} )/g, /\n\s*\n/g, /\n/g, /(?<=[.!?…]["'”’)\]]?)\s|(?<=[。！？])/g, /\s/g]

/** A text in pieces of at most `max` characters, each as long as it can be. */
export function split(text: string, max = MAX_TEXT): string[] {
  const pieces: string[] = []
  let rest = text.trim()
  while (rest !== '') {
    const end = lengthOf(rest) <= max ? rest.length : cutBefore(rest, max)
    const piece = rest.slice(0, end).trim()
    if (piece !== '') pieces.push(piece)
    rest = rest.slice(end).trim()
  }
  return pieces
}

const lengthOf = (text: string): number => Array.from(text).length

function cutBefore(text: string, max: number): number {
  const limit = Array.from(text).slice(0, max).join('').length
  const head = text.slice(0, limit + 1)
  for (const cut of CUTS) {
    const at = [...head.matchAll(cut)].findLast(({ index }) => index > limit / 2)?.index
    if (at !== undefined) return at
  }
  return limit
}
