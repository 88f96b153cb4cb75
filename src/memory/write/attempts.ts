/**
 * Operations that lose a race are planned again, on what is there by then, up to this many times in all. A single one
 * loses an attempt only to a commit of another, so this many concurrent changes of an item all take place (contract §3).
 */
export const MAX_ATTEMPTS = { one: 16, list: 4 } as const

const FIRST_PAUSE_MS = 10
const MAX_PAUSE_MS = 200

/** Milliseconds before an attempt, 1 for the first. `random` is 0..1: full jitter spreads those that lost together. */
export function pauseBefore(attempt: number, random: number): number {
  if (attempt === 1) return 0
  return Math.round(random * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 2)))
}
