import type { PieceCounts, PieceTable } from '../../src/backends/project-vectors/pieces/asked-pieces.ts'

/** The vector of a piece; zeros for one that the table does not have. */
export function vectorOf({ rows, scales }: PieceTable, piece: number): number[] {
  const bytes = rows.length / scales.length
  const scale = scales[piece] ?? 0
  return Array.from({ length: 2 * bytes }, (_, dimension) => {
    const byte = rows[piece * bytes + Math.floor(dimension / 2)] ?? 0
    return scale * ((dimension % 2 === 0 ? byte % 16 : Math.floor(byte / 16)) - 8)
  })
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? NaN), 0)
const length = (a: readonly number[]): number => Math.sqrt(dot(a, a))

/** 0 where one of them is a zero vector. */
export const cosine = (a: readonly number[], b: readonly number[]): number => dot(a, b) / (length(a) * length(b)) || 0

/** The late interaction of the model's card, written plainly; NaN where no piece of the question has a vector. */
export function plainLateInteraction(
  table: PieceTable,
  question: Iterable<number>,
  counts: PieceCounts,
  part: readonly number[],
): number {
  let sum = 0
  let total = 0
  for (const piece of new Set(question)) {
    const vector = vectorOf(table, piece)
    const n = counts.of(piece)
    const weight = Math.log(1 + (counts.parts - n + 0.5) / (n + 0.5)) * length(vector)
    const cosines = part.map((other) => cosine(vector, vectorOf(table, other)))
    sum += weight * Math.max(0, ...cosines.map((value) => (value < 0.35 ? 0 : value)))
    total += weight
  }
  return sum / total
}
