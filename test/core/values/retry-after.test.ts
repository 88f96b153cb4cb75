import { expect, test } from 'vitest'
import { readRetryAfter } from '../../../src/core/values/retry-after.ts'

const now = Date.parse('2026-11-21T09:00:00Z')
test.each([
  [null, null],
  ['120', 120_000],
  [' 120 ', 120_000],
  ['0', 0],
  ['-5', null],
  ['soon', null],
  ['Sat, 21 Nov 2026 09:02:00 GMT', 120_000],
  ['Sat, 21 Nov 2026 08:00:00 GMT', 0],
  ['99999999999999999999', null],
])('Retry-After: %s', (header, expected) => {
  expect(readRetryAfter(header, now)).toBe(expected)
})
