/** The vocabulary has single characters first: marks and digits from here on, then letters, then pieces by how frequent they are. */
const FIRST_MARK = 999
const FIRST_LETTER = 1_037
const FIRST_RANKED = 1_996

const OF_A_MARK = 0.1
const OF_A_LETTER = 0.0015
/** The piece of this rank stands in two thirds of all parts. */
const COMMON_RANKS = 4

/** The share of parts that contain a piece, by its rank in the vocabulary (README.md beside this file). */
export function pieceFrequency(piece: number): number {
  if (piece >= FIRST_RANKED) return 1 - Math.exp(-COMMON_RANKS / (piece - FIRST_RANKED + 1))
  if (piece >= FIRST_LETTER) return OF_A_LETTER
  return piece >= FIRST_MARK ? OF_A_MARK : 0
}
