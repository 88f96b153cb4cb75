import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codePoints } from '../../../src/core/values/code-points.ts'
import { cutText } from '../../../src/memory/conversations/cut-text.ts'

test('the parts are the text, each fits, and none ends within a character', () => {
  const units = fc.string({ unit: fc.constantFrom('word ', 'End. ', '終わり。', '🙂', 'x'), maxLength: 60 })
  fc.assert(
    fc.property(units, fc.integer({ min: 4, max: 40 }), (text, max) => {
      const parts = cutText(text, max)
      expect(parts.join('')).toBe(text)
      for (const part of parts) {
        expect(codePoints(part)).toBeLessThanOrEqual(max)
        expect(part.isWellFormed()).toBe(true)
      }
      expect(parts.slice(0, -1).every((part) => part !== '')).toBe(true)
    }),
  )
})

test('a part ends with a sentence, else with a word, else where it is full', () => {
  expect(cutText('One is. Two is. Three is.', 18)).toEqual(['One is. Two is. ', 'Three is.'])
  expect(cutText('one two three four', 10)).toEqual(['one two ', 'three four'])
  expect(cutText('abcdefgh', 3)).toEqual(['abc', 'def', 'gh'])
})

test('what fits into an item is one part, in characters and not in units of UTF-16', () => {
  expect(cutText('🙂'.repeat(40_000))).toHaveLength(1)
  expect(cutText('🙂'.repeat(65_537)).map(codePoints)).toEqual([65_536, 1])
})
