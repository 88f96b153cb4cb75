import { expect, test } from 'vitest'
import { text } from '../../../src/core/http/fields.ts'

test.each([
  ['', 1, 3, false],
  ['abc', 1, 3, true],
  ['abcd', 1, 3, false],
  ['😀😀😀', 1, 3, true],
  ['😀😀😀😀', 1, 3, false],
  ['👨‍👩‍👧', 1, 3, false],
  ['', 0, 3, true],
  ['😀', 2, 3, false],
])('text of %j within %i..%i Unicode code points: %s (contract §1)', (value, min, max, ok) => {
  expect(text(min, max).safeParse(value).success).toBe(ok)
})
