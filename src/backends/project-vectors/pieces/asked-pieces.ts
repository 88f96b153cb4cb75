/** The vectors of a model's word pieces, by id. */
export interface PieceTable {
  /** Values of 4 bits, each stored plus 8, two to a byte, the first in the low half: a row of equal length for each piece. */
  rows: Uint8Array
  /** A piece's vector is its row times its scale. */
  scales: Float32Array
  /** The share of parts that contain a piece, as the model states it. */
  frequencyOf(piece: number): number
}

/** How many parts contain a piece. */
export interface PieceCounts {
  readonly parts: number
  of(piece: number): number
}

/** A piece of a question. */
export interface Asked {
  piece: number
  weight: number
}

/** Pieces of a question that take part. It bounds the work of a long question. */
const MAX_ASKED = 64

/** The distinct pieces of a question that have a weight: of very many, those of the greatest. */
export function heaviest(table: PieceTable, question: Uint16Array, counts: PieceCounts): Asked[] {
  const asked: Asked[] = []
  for (const piece of new Set(question)) {
    const n = counts.of(piece)
    const rarity = Math.log(1 + (counts.parts - n + 0.5) / (n + 0.5))
    const weight = rarity * rowLength(table, piece) * (table.scales[piece] ?? 0)
    if (weight > 0) asked.push({ piece, weight })
  }
  return asked.length <= MAX_ASKED ? asked : asked.sort((a, b) => b.weight - a.weight).slice(0, MAX_ASKED)
}

function rowLength({ rows, scales }: PieceTable, piece: number): number {
  const bytes = rows.length / scales.length
  let square = 0
  for (let at = piece * bytes; at < (piece + 1) * bytes; at++) {
    const byte = rows[at] ?? 0
    square += ((byte & 15) - 8) ** 2 + ((byte >> 4) - 8) ** 2
  }
  return Math.sqrt(square)
}
