import { pinClock, shiftClock, systemClock } from '../../src/core/values/clock.ts'

/** Milliseconds. */
export const SECOND = 1_000
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Moves the service's clock and stops it there until the test ends, so that a slow machine changes nothing. */
export function travel(ms: number): void {
  pinClock(systemClock() + ms)
}

/** Does something at a later time, and comes back. */
export async function atTime<T>(byMs: number, work: () => Promise<T>): Promise<T> {
  shiftClock(byMs)
  try {
    return await work()
  } finally {
    shiftClock(-byMs)
  }
}

/** Does something in one instant, however long it takes, and lets the clock run again. */
export async function inOneInstant<T>(work: () => Promise<T>): Promise<T> {
  travel(0)
  try {
    return await work()
  } finally {
    pinClock(null)
  }
}
