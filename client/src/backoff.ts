/** How long attempts at the same thing wait for each other. */
export interface Backoff {
  firstMs: number
  /** The wait doubles with each failure, up to this. */
  longestMs: number
  /**
   * The part of the wait that is left to chance, 0..1 (default: 0). 1 spreads callers that failed together best; less keeps
   * the wait from falling to nothing.
   */
  jitter?: number
}

/** Milliseconds to wait after this many failures, 1 for the first. `random` is 0..1: chance takes nothing off at 1. */
export function backoffMs(failures: number, { firstMs, longestMs, jitter = 0 }: Backoff, random = 1): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1))
  return Math.round(full * (1 - jitter * (1 - random)))
}
