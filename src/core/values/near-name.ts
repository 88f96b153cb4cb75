/** Longer names are not compared: the work is the product of both lengths. */
const MAX_COMPARED = 64

/** The known name that a misspelt one most likely means: within two letters, and within a third of it; null for none. */
export function nearName(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_COMPARED) return null
  const alike = Math.min(2, Math.floor(name.length / 3))
  let nearest: { known: string; apart: number } | null = null
  for (const one of known) {
    const apart = distance(name.toLowerCase(), one.toLowerCase())
    if (apart <= alike && apart < (nearest?.apart ?? Infinity)) nearest = { known: one, apart }
  }
  return nearest?.known ?? null
}

/** ` Did you mean "…"?` behind a sentence, or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearName(name, known)
  return near === null ? '' : ` Did you mean "${near}"?`
}

/** Letters to change, add, drop or swap with their neighbour (optimal string alignment). */
function distance(one: string, other: string): number {
  let beforeThat: number[] = []
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 0; row < one.length; row += 1) {
    const current = [row + 1]
    for (let column = 0; column < other.length; column += 1) {
      const change = (above[column] ?? 0) + (one[row] === other[column] ? 0 : 1)
      const swapped = row > 0 && column > 0 && one[row] === other[column - 1] && one[row - 1] === other[column]
      const swap = swapped ? (beforeThat[column - 1] ?? 0) + 1 : Infinity
      current.push(Math.min(change, swap, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    beforeThat = above
    above = current
  }
  return above[other.length] ?? 0
}
