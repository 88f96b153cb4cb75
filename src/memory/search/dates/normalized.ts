/** White space, a Korean syllable of single letters, or a character with its marks: what NFC writes as one. */
const PIECE = /\s+|[\u1100-\u115F][\u1160-\u11A7][\u11A8-\u11FF]?|\P{M}\p{M}*|\p{M}+/gu

export interface Normalized {
  text: string
  /** What stands in the original where `text` has these UTF-16 units. */
  asWritten: (at: number, end: number) => string
}

/** A text in NFC, with one blank for each stretch of white space. */
export function normalized(original: string): Normalized {
  if (original.normalize('NFC') === original && !/\s{2}|[^\S ]/.test(original))
    return { text: original, asWritten: (at, end) => original.slice(at, end) }
  const edges: { at: number; end: number }[] = []
  const pieces = Array.from(original.matchAll(PIECE), ({ 0: piece, index: at }) => {
    const read = /^\s/.test(piece) ? ' ' : piece.normalize('NFC')
    for (let unit = 0; unit < read.length; unit++) edges.push({ at, end: at + piece.length })
    return read
  })
  return {
    text: pieces.join(''),
    asWritten: (at, end) => original.slice(edges[at]?.at, edges[end - 1]?.end),
  }
}
