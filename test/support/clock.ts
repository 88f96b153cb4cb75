import { pinClock, systemClock } from '../../src/core/clock.ts'

/** Moves the service's clock and stops it there until the test ends, so that a slow machine changes nothing. */
export function travel(ms: number): void {
  pinClock(systemClock() + ms)
}
