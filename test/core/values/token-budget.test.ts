import { expect, test } from 'vitest'
import { estimatedTokens, withinTokens } from '../../../src/core/values/token-budget.ts'

test.each([
  ['', 0],
  ['a', 1],
  ['abc', 1],
  ['abcd', 2],
  ['👍🏽👍🏽', 2],
  ['北京大学', 2],
])('%j is taken for %i tokens', (text, tokens) => {
  expect(estimatedTokens(text)).toBe(tokens)
})

test.each<[string, number[], number, number]>([
  ['without a budget all stay', [3, 30, 300], Infinity, 3],
  ['what fills it exactly stays', [3, 3, 3], 3, 3],
  ['one token less drops the last', [3, 3, 3], 2, 2],
  ['each text is rounded up', [1, 1, 1], 2, 2],
  ['the first stays whatever its length', [300, 3], 1, 1],
  ['nothing smaller is taken from behind the first that does not fit', [3, 30, 3], 3, 1],
  ['nothing stays nothing', [], 5, 0],
])('%s', (_, lengths, maxTokens, kept) => {
  expect(withinTokens(lengths, maxTokens, (length) => ['x'.repeat(length)])).toEqual(lengths.slice(0, kept))
})

test('all texts of an item count, each rounded up', () => {
  const items = [['a', 'abcd'], ['abc'], ['abc']]
  expect(withinTokens(items, 4, (texts) => texts)).toEqual(items.slice(0, 2))
  expect(withinTokens(items, 3, (texts) => texts)).toEqual(items.slice(0, 1))
})
