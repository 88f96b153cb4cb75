import type { PieceCounts, PieceTable } from './asked-pieces.ts'
import { addCounts, type ClassCounts } from './class-counts.ts'

/**
 * Parts with the frequencies that the model states. They count beside those that are compared, so that a few texts do not
 * decide what is rare.
 */
export const STATED_PARTS = 200

/** Place of each asked piece among the counts, from 1. All are 0 again after each call. */
const placeOf = new Uint16Array(65_536)

/** The counts that a model states alone. */
export const statedCounts = (table: PieceTable): PieceCounts => ({
  parts: STATED_PARTS,
  of: (piece) => STATED_PARTS * table.frequencyOf(piece),
})

/** How many parts of these classes and of the stated ones contain each piece of a question. */
export function countPieces(table: PieceTable, question: Uint16Array, counted: Iterable<ClassCounts>): PieceCounts {
  const asked = [...new Set(question)]
  asked.forEach((piece, nth) => (placeOf[piece] = nth + 1))
  const sums = new Uint32Array(asked.length)
  let parts = STATED_PARTS
  for (const one of counted) {
    parts += one.parts
    addCounts(one, asked, placeOf, sums)
  }
  const stated = statedCounts(table)
  const byPiece = new Map(asked.map((piece, nth) => [piece, (sums[nth] ?? 0) + stated.of(piece)]))
  for (const piece of asked) placeOf[piece] = 0
  return { parts, of: (piece) => byPiece.get(piece) ?? stated.of(piece) }
}
