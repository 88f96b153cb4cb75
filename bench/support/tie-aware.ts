/**
 * Measures of a ranking whose equal scores are in no order: the expectation over all orders of them, each as likely as every
 * other, computed exactly (McSherry and Najork, "Computing Information Retrieval Performance Measures Efficiently in the
 * Presence of Tied Scores", ECIR 2008).
 */

/** Results with one score: how many, and how many of them are right. */
export interface TieGroup {
  size: number
  right: number
}

/** The groups of results, best first. */
export const tieGroups = (
  results: readonly { id: string; score: number }[],
  isRight: (id: string) => boolean,
): TieGroup[] =>
  [...Map.groupBy(results, ({ score }) => score).values()].map((group) => ({
    size: group.length,
    right: group.filter(({ id }) => isRight(id)).length,
  }))

/** How many right results the first `depth` places have. */
export function expectedRight(groups: readonly TieGroup[], depth: number): number {
  let before = 0
  let sum = 0
  for (const { size, right } of groups) {
    const places = Math.max(0, Math.min(size, depth - before))
    sum += (right * places) / size
    before += size
  }
  return sum
}

/** 1 / the place of the first right result; 0 where the first `depth` places have none. */
export function expectedReciprocal(groups: readonly TieGroup[], depth: number): number {
  let place = 0
  let sum = 0
  // The chance that no place before this one has a right result.
  let none = 1
  for (const { size, right } of groups) {
    for (let left = size; left > 0 && place < depth && none > 0; left--) {
      const found = Math.min(1, right / left)
      place += 1
      sum += (none * found) / place
      none *= 1 - found
    }
  }
  return sum
}
