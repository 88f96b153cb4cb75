/**
 * The value below which a share of a histogram lies, by a straight line within its bucket; null where nothing was
 * counted. `bounds` are the upper bounds of all buckets but the last, whose values count as its lower bound.
 */
export function quantile(bounds: readonly number[], counts: readonly number[], share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  let below = 0
  for (const [bucket, count] of counts.entries()) {
    const from = bounds[bucket - 1] ?? 0
    const to = bounds[bucket] ?? from
    if (count > 0 && below + count >= share * all) return from + ((to - from) * (share * all - below)) / count
    below += count
  }
  return bounds.at(-1) ?? null
}

/** Histograms of the same buckets as one. */
export const addHistograms = (all: readonly (readonly number[])[]): number[] =>
  (all[0] ?? []).map((_, bucket) => all.reduce((sum, one) => sum + (one[bucket] ?? 0), 0))
