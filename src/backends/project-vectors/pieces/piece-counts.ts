import type { PieceCounts, PieceTable } from './asked-pieces.ts'

/**
 * Parts with the frequencies that the model states. They count beside those that are compared, so that a few texts do not
 * decide what is rare.
 */
export const STATED_PARTS = 200

/** Neighbouring parts: the distinct pieces of each, behind one another, and how many parts have pieces. */
export interface CountedParts {
  pieces: Uint16Array
  parts: number
}

/** Place of each asked piece among the counts, from 1. All are 0 again after each call. */
const placeOf = new Uint16Array(65_536)

/** The counts that a model states alone. */
export const statedCounts = (table: PieceTable): PieceCounts => ({
  parts: STATED_PARTS,
  of: (piece) => STATED_PARTS * table.frequencyOf(piece),
})

/** How many of these parts and of the stated ones contain each piece of a question. */
export function countPieces(table: PieceTable, question: Uint16Array, counted: Iterable<CountedParts>): PieceCounts {
  const asked = [...new Set(question)]
  asked.forEach((piece, nth) => (placeOf[piece] = nth + 1))
  const counts = new Uint32Array(asked.length + 1)
  let all = STATED_PARTS
  for (const { pieces, parts } of counted) {
    all += parts
    for (let at = 0; at < pieces.length; at++) {
      const place = placeOf[pieces[at] ?? 0] ?? 0
      if (place > 0) counts[place] = (counts[place] ?? 0) + 1
    }
  }
  const byPiece = new Map(asked.map((piece, nth) => [piece, counts[nth + 1] ?? 0]))
  for (const piece of asked) placeOf[piece] = 0
  const stated = statedCounts(table)
  return { parts: all, of: (piece) => (byPiece.get(piece) ?? 0) + stated.of(piece) }
}
