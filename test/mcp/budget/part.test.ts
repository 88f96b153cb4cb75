import fc from 'fast-check'
import { expect, test } from 'vitest'
import { characterCost, costOf, textCost } from '../../../src/mcp/budget/cost.ts'
import { offsetOf, partAround, partFrom } from '../../../src/mcp/budget/part.ts'

/** Texts of every kind of character: plain, quotes, controls, other scripts, pairs of surrogates. */
const Text = fc.string({ unit: 'binary', maxLength: 200 }).filter((text) => text.isWellFormed())
const Words = fc.array(fc.constantFrom('tea', 'kettle', 'noch', '北京', 'é', '👍🏽', '\n', '"'), { maxLength: 60 })
const Any = fc.oneof(
  Text,
  Words.map((words) => words.join(' ')),
)

test('the cost of a text is that of its characters, in both forms', () => {
  fc.assert(
    fc.property(Any, (text) => {
      expect(textCost(text)).toBe(costOf({ content: text }) - costOf({ content: '' }))
    }),
  )
})

test.each([
  ['a', 2],
  ['"', 6],
  ['\\', 6],
  ['\n', 5],
  ['\u0001', 13],
  ['é', 4],
  ['北', 6],
  ['👍', 8],
])('%j costs %i bytes', (character, cost) => {
  expect(characterCost(character.codePointAt(0) ?? 0)).toBe(cost)
})

test('parts that are read one after the other are the text', () => {
  fc.assert(
    fc.property(Any, fc.integer({ min: 13, max: 200 }), (text, maxCost) => {
      const parts: string[] = []
      for (let at = 0; at < text.length;) {
        const { start, end } = partFrom(text, at, maxCost)
        expect(start).toBe(at)
        expect(end).toBeGreaterThan(at)
        const part = text.slice(start, end)
        expect(textCost(part)).toBeLessThanOrEqual(maxCost)
        expect(part.isWellFormed()).toBe(true)
        parts.push(part)
        at = end
      }
      expect(parts.join('')).toBe(text)
    }),
  )
})

test('a part around a match costs no more, and holds its beginning', () => {
  fc.assert(
    fc.property(Any, fc.nat(), fc.integer({ min: 60, max: 400 }), (text, number, maxCost) => {
      const at = offsetOf(text, number % (Array.from(text).length + 1))
      const { start, end } = partAround(text, { start: at, end: at }, maxCost)
      expect(textCost(text.slice(start, end))).toBeLessThanOrEqual(maxCost)
      expect(text.slice(start, end).isWellFormed()).toBe(true)
      expect(start).toBeLessThanOrEqual(at)
      expect(end).toBeGreaterThanOrEqual(at)
    }),
  )
})

test('a part begins and ends between words, where there are words', () => {
  const text = 'kettle '.repeat(100)
  const { start, end } = partFrom(text, 0, 101)
  expect(text.slice(start, end)).toBe('kettle '.repeat(7))
  const around = partAround(text, { start: 352, end: 356 }, 201)
  expect(text.slice(around.start, around.end)).toMatch(/^(kettle )+$/)
  const unspaced = '北'.repeat(100)
  expect(partFrom(unspaced, 0, 60)).toEqual({ start: 0, end: 10 })
})

test('near the end of a text, a part around a match is its end', () => {
  const text = `${'x'.repeat(500)}tea`
  expect(partAround(text, { start: 500, end: 503 }, 100)).toEqual({ start: 453, end: 503 })
})

test('of a match that does not fit, the part keeps what stands a third into it', () => {
  const text = `${'x'.repeat(600)}${'y'.repeat(100)}kettle${'y'.repeat(200)}${'x'.repeat(600)}`
  for (const maxCost of [40, 100, 300, 600, 1_000, 2_000]) {
    const { start, end } = partAround(text, { start: 600, end: 900 }, maxCost)
    expect(text.slice(start, end), String(maxCost)).toContain('kettle')
  }
})

test.each([
  ['tea', 0, 0],
  ['tea', 2, 2],
  ['tea', 9, 3],
  ['👍a👍', 1, 2],
  ['👍a👍', 2, 3],
  ['👍a👍', 3, 5],
])('in %j character %i stands at %i', (text, characters, at) => {
  expect(offsetOf(text, characters)).toBe(at)
})
