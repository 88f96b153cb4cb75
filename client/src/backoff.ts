/**
 * How long attempts at the same thing wait for each other: the wait doubles with each failure, up to the longest. `jitter`,
 * 0..1, is the part that is left to chance: 1 spreads callers that failed together best; less keeps the wait from falling to
 * nothing. It is a tuple because the names of fields take 40 bytes of the core.
 */
export type Backoff = [firstMs: number, longestMs: number, jitter: number]

/** Milliseconds to wait after this many failures, 1 for the first. `random` is 0..1: chance takes nothing off at 1. */
export function backoffMs(failures: number, [firstMs, longestMs, jitter]: Backoff, random = 1): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1))
  return Math.round(full * (1 - jitter * (1 - random)))
}
