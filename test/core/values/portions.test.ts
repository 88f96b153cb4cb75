import { expect, test } from 'vitest'
import { portions, portionsBySize } from '../../../src/core/values/portions.ts'

test.each([
  ['nothing', [], []],
  ['less than one portion', [1], [[1]]],
  ['exactly one portion', [1, 2], [[1, 2]]],
  ['a rest', [1, 2, 3, 4, 5], [[1, 2], [3, 4], [5]]],
])('portions of two: %s', (_, list, parts) => {
  expect(portions(list, 2)).toEqual(parts)
})

test.each([
  { sizes: [], cut: [] },
  { sizes: [4, 6, 1], cut: [[4, 6], [1]] },
  { sizes: [11, 1, 20, 0, 10], cut: [[11], [1], [20], [0, 10]] },
])('members of $sizes are cut into parts of ten together, a larger one alone: $cut', ({ sizes, cut }) => {
  expect(portionsBySize(sizes, 10, (size) => size)).toEqual(cut)
})
