import type { Backoff } from '../../core/values/backoff.ts'

/**
 * Operations that lose a race are planned again, on what is there by then, up to this many times in all. A single one
 * loses an attempt only to a commit of another, so this many concurrent changes of an item all take place (contract §3).
 */
export const MAX_ATTEMPTS = { one: 16, list: 4 } as const

/** Between attempts. */
export const PAUSES: Backoff = { firstMs: 10, longestMs: 200, jitter: 1 }
