import { expect, test } from 'vitest'
import { z } from 'zod'
import { rangeFields, rangeOf } from '../../src/audit/step-range.ts'

const NOW = Date.UTC(2026, 10, 23, 12)
const HOUR = 3_600_000

test('without bounds it is the last 24 hours, and with one the other goes by it', () => {
  expect(rangeOf({}, NOW, HOUR)).toEqual({ since: NOW - 24 * HOUR, until: NOW, stepMs: HOUR })
  expect(rangeOf({ until: NOW - HOUR }, NOW, HOUR).since).toBe(NOW - 25 * HOUR)
  expect(rangeOf({ since: NOW - HOUR }, NOW, HOUR)).toEqual({ since: NOW - HOUR, until: NOW, stepMs: HOUR })
})

test.each([
  ['of no length', { since: NOW, until: NOW }],
  ['that ends before it begins', { since: NOW + 1, until: NOW }],
  ['that begins in the future and has no end', { since: NOW + HOUR }],
])('a range %s is refused', (_, input) => {
  expect(() => rangeOf(input, NOW, HOUR)).toThrow(
    expect.objectContaining({
      code: 'validation_failed',
      errors: [expect.objectContaining({ path: 'since', code: 'empty_range' })],
    }),
  )
})

test('400 steps are an answer, and a millisecond more is refused', () => {
  const since = NOW - 400 * HOUR
  expect(rangeOf({ since, until: NOW }, NOW, HOUR).since).toBe(since)
  expect(() => rangeOf({ since: since - 1, until: NOW }, NOW, HOUR)).toThrow(
    expect.objectContaining({
      errors: [expect.objectContaining({ path: 'step', code: 'too_many_steps' })],
    }),
  )
})

test('a bound is an instant with an offset', () => {
  const Range = z.object(rangeFields)
  expect(Range.parse({ since: '2026-11-23T13:00:00+01:00' })).toEqual({ since: NOW })
  for (const since of ['2026-11-23', '2026-11-23T12:00:00', 'yesterday', 1_795_435_200_000])
    expect(Range.safeParse({ since }).success).toBe(false)
})
