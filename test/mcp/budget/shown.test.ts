import fc from 'fast-check'
import { expect, test } from 'vitest'
import { costOf } from '../../../src/mcp/budget/cost.ts'
import { partFrom } from '../../../src/mcp/budget/part.ts'
import { shownOf, shownWithin, type Showable, type Shown } from '../../../src/mcp/budget/shown.ts'

const showable = (content: string, more: object = {}): Showable => ({
  whole: { id: 'mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG', content, tags: [], metadata: {}, ...more },
  textIn: 'content',
  partOf: (text, maxCost) => partFrom(text, 0, maxCost),
})

const Stored = fc
  .record({
    content: fc.string({ unit: fc.constantFrom('a', ' ', '"', '\n', '\u0001', '北', '👍'), maxLength: 2_000 }),
    tags: fc.array(fc.string({ maxLength: 64 }), { maxLength: 8 }),
    metadata: fc.dictionary(fc.string({ maxLength: 10 }), fc.string({ maxLength: 300 }), { maxKeys: 8 }),
  })
  .map(({ content, ...more }) => showable(content, more))

test('a result fits, and is whole where it can be', () => {
  fc.assert(
    fc.property(Stored, fc.integer({ min: 600, max: 6_000 }), (one, maxCost) => {
      const shown = shownWithin(one, maxCost)
      expect(costOf(shown)).toBeLessThanOrEqual(maxCost)
      expect('truncated' in shown).toBe(costOf(one.whole) > maxCost)
    }),
  )
})

test('results fit together, in their order, from the first on', () => {
  fc.assert(
    fc.property(
      fc.array(Stored, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1_500, max: 9_000 }),
      (all, max) => {
        const shown = shownOf(all, max)
        expect(costOf(shown)).toBeLessThanOrEqual(max + costOf([]))
        expect(shown.length).toBeGreaterThan(0)
      },
    ),
  )
})

test('a short one stays whole beside a long one', () => {
  const [short, long] = shownOf([showable('tea'), showable('x'.repeat(50_000))], 3_000) as [Shown, Shown]
  expect(short).toEqual(showable('tea').whole)
  expect(long).toMatchObject({ truncated: true, text_length: 50_000, offset: 0 })
  expect(costOf(long)).toBeGreaterThan(2_500)
})

test('metadata and then tags give way to the text, and the result says so', () => {
  const content = 'tea '.repeat(100)
  const one = showable(content, { tags: ['a'.repeat(300)], metadata: { a: 'b'.repeat(1_000) } })
  expect(shownWithin(one, 2_500)).toMatchObject({
    content,
    metadata: {},
    tags: one.whole['tags'],
    omitted: ['metadata'],
  })
  expect(shownWithin(one, 1_400)).toMatchObject({ content, metadata: {}, tags: [], omitted: ['metadata', 'tags'] })
  // Nothing of its text is missing.
  expect(shownWithin(one, 1_400)).not.toHaveProperty('text_length')
})

test('what has no metadata leaves none out', () => {
  const { omitted } = shownWithin(showable('x'.repeat(9_000)), 2_000)
  expect(omitted).toBeUndefined()
})
