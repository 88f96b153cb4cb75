import { expect, test } from 'vitest'
import { backoffMs } from '../../../src/core/values/backoff.ts'

test.each([
  [1, 0, 500],
  [1, 1, 1_000],
  [2, 1, 2_000],
  [5, 1, 16_000],
  [30, 1, 60_000],
  [0, 1, 1_000],
])('attempt %i with randomness %d waits %i ms', (attempt, random, expected) => {
  expect(backoffMs(attempt, 1_000, 60_000, random)).toBe(expected)
})
