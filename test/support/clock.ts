import { afterEach } from 'vitest'
import { shiftClock } from '../../src/core/clock.ts'

let shiftedMs = 0

/** Moves the service's clock for the rest of the test. */
export function travel(ms: number): void {
  shiftClock(ms)
  shiftedMs += ms
}

afterEach(() => {
  shiftClock(-shiftedMs)
  shiftedMs = 0
})
