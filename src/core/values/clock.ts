/** Milliseconds since 1970, UTC. */
export type Clock = () => number

let offsetMs = 0
let pinnedAt: number | null = null

/** The only reader of the system's time; everything else takes a `Clock` or `ctx.now()`. */
export const systemClock: Clock = () => pinnedAt ?? Date.now() + offsetMs

/** Shifts the clock of this isolate, Durable Objects included. For tests: nothing in `src/` calls it. */
export function shiftClock(byMs: number): void {
  if (pinnedAt === null) offsetMs += byMs
  else pinnedAt += byMs
}

/** Stops the clock of this isolate at an instant, or lets it run again. For tests, as `shiftClock` is. */
export function pinClock(at: number | null): void {
  pinnedAt = at
}

/** ISO 8601, UTC, milliseconds, `Z` (contract §1). */
export const iso = (ms: number): string => new Date(ms).toISOString()
