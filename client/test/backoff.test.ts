import { expect, test } from 'vitest'
import { backoffMs } from '../src/backoff.ts'

test.each([
  [0, 1_000],
  [1, 1_000],
  [2, 2_000],
  [5, 16_000],
  [7, 60_000],
  [2_000, 60_000],
])('after %i failures it waits %i ms', (failures, expected) => {
  expect(backoffMs(failures, [1_000, 60_000, 0])).toBe(expected)
})

test.each([
  [0, 0, 16_000],
  [0.5, 0, 8_000],
  [0.5, 0.5, 12_000],
  [0.5, 1, 16_000],
  [1, 0, 0],
  [1, 0.25, 4_000],
  [1, 1, 16_000],
])('with a jitter of %d and randomness %d it waits %i ms', (jitter, random, expected) => {
  expect(backoffMs(5, [1_000, 60_000, jitter], random)).toBe(expected)
})
