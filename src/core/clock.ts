/** Milliseconds since 1970, UTC. */
export type Clock = () => number

let offsetMs = 0

/** The only reader of the system's time; everything else takes a `Clock` or `ctx.now()`. */
export const systemClock: Clock = () => Date.now() + offsetMs

/** Shifts the clock of this isolate, Durable Objects included. For tests: nothing in `src/` calls it. */
export function shiftClock(byMs: number): void {
  offsetMs += byMs
}

/** ISO 8601, UTC, milliseconds, `Z` (contract §1). */
export const iso = (ms: number): string => new Date(ms).toISOString()
