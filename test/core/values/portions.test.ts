import { expect, test } from 'vitest'
import { portions } from '../../../src/core/values/portions.ts'

test.each([
  ['nothing', [], []],
  ['less than one portion', [1], [[1]]],
  ['exactly one portion', [1, 2], [[1, 2]]],
  ['a rest', [1, 2, 3, 4, 5], [[1, 2], [3, 4], [5]]],
])('portions of two: %s', (_, list, parts) => {
  expect(portions(list, 2)).toEqual(parts)
})
