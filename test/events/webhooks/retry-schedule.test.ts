import { expect, test } from 'vitest'
import { MAX_ATTEMPTS, pauseAfter, pauseUnsent, PAUSES_MS } from '../../../src/events/webhooks/retry-schedule.ts'

const HOUR = 3_600_000

test('the schedule of contract §5: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, then no more', () => {
  const plain = Array.from({ length: MAX_ATTEMPTS }, (_, index) => pauseAfter(index + 1, null, 0.5))
  expect(plain).toEqual([5_000, 300_000, 1_800_000, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR, null])
})

test('each pause varies by 20 % to either side', () => {
  for (const [index, pause] of PAUSES_MS.entries()) {
    expect(pauseAfter(index + 1, null, 0)).toBeCloseTo(pause * 0.8)
    expect(pauseAfter(index + 1, null, 1)).toBeCloseTo(pause * 1.2)
  }
})

test.each([
  ['longer than the schedule: honoured', 1, 120_000, 120_000],
  ['shorter than the schedule: the schedule', 3, 1_000, 1_800_000],
  ['more than a day: a day', 1, 72 * HOUR, 24 * HOUR],
  ['after the last attempt: none', 8, 1_000, null],
])('Retry-After %s', (_, failed, asked, expected) => {
  expect(pauseAfter(failed, asked, 0.5)).toBe(expected)
})

test.each([
  ['just made', 0, 60_000],
  ['four minutes old', 4 * 60_000, 60_000],
  ['an hour old', 3_600_000, 900_000],
  ['four hours old', 4 * 3_600_000, 3_600_000],
  ['six days old', 6 * 24 * 3_600_000, 3_600_000],
])('a delivery that could not be sent and is %s', (_, ageMs, pauseMs) => {
  expect(pauseUnsent(60_000, ageMs)).toBe(pauseMs)
})
