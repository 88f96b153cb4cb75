import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/values/durations.ts'

/** Pauses after the first, second, … failed attempt (contract §5). The eighth attempt is the last. */
export const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
] as const
export const MAX_ATTEMPTS = PAUSES_MS.length + 1
const JITTER = 0.2
const MAX_RETRY_AFTER_MS = DAY_MS

/**
 * Milliseconds until the next attempt; null where `failed` (1 for the first) was the last. The `Retry-After` of the receiver
 * is a lower bound, up to a day. `random` is 0..1.
 */
export function pauseAfter(failed: number, retryAfterMs: number | null, random: number): number | null {
  const pause = PAUSES_MS[failed - 1]
  if (pause === undefined) return null
  const jittered = Math.round(pause * (1 - JITTER + 2 * JITTER * random))
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS))
}

/**
 * Milliseconds until a delivery that could not be sent is tried again; no attempt was made. The pause is a quarter of its
 * age, at least `leastMs` and at most an hour, so that a host name without an answer for days costs little.
 */
export const pauseUnsent = (leastMs: number, ageMs: number): number =>
  Math.min(HOUR_MS, Math.max(leastMs, Math.round(ageMs / 4)))
