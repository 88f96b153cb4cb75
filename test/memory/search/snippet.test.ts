/** @module-tag long */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Chunk } from '../../../src/core/vectors.ts'
import { snippet } from '../../../src/memory/search/snippet.ts'
import { queryWords } from '../../../src/memory/keyword/query-terms.ts'
import { growthOf, LINEAR } from '../../support/speed.ts'

const FILLER = 'Nothing of note happened on this day in the village. '
const LONG = `${FILLER.repeat(40)}At midnight the dragon ate the blacksmith. ${FILLER.repeat(40)}`

const of = (text: string, query: string, chunk: Chunk | null = null) =>
  snippet(text, queryWords(query).present, () => chunk)

test('a text of up to 300 UTF-16 units is its own snippet', () => {
  const text = `${'x'.repeat(299)}.`
  expect(of(text, 'anything')).toBe(text)
  expect(of(`${text}.`, 'anything')).not.toBe(`${text}.`)
})

test('it is the part with most words of the query, in whole words; … marks left-out text', () => {
  const found = of(LONG, 'who ate the blacksmith at midnight?')
  expect(found).toContain('At midnight the dragon ate the blacksmith.')
  expect(found).toMatch(/^…\S.*\S…$/s)
  expect(LONG).toContain(` ${found.slice(1, -1)} `)
})

test('many different words count for more than one word many times', () => {
  const text = `${'dragon '.repeat(50)}${FILLER.repeat(10)}The dragon and the blacksmith. ${FILLER.repeat(10)}`
  expect(of(text, 'dragon blacksmith')).toContain('The dragon and the blacksmith.')
})

test('a stem finds its inflections, in any case', () => {
  const text = `${FILLER.repeat(20)}They were STUDYING dragons. ${FILLER.repeat(20)}`
  expect(of(text, 'studies')).toContain('STUDYING')
})

test('a word does not begin inside another one, whatever letter stands before', () => {
  for (const inside of ['éclair', 'xclair', '3clair', '𝒳clair']) {
    const text = `${FILLER}${`${inside} `.repeat(5)}${FILLER.repeat(20)}Le ciel est clair. ${FILLER.repeat(20)}`
    expect(of(text, 'clair')).toContain('ciel est clair')
  }
})

test('with a best chunk the snippet is part of that chunk', () => {
  const text = `The dragon sleeps. ${FILLER.repeat(40)}The dragon wakes. ${FILLER.repeat(40)}`
  const start = text.indexOf('The dragon wakes')
  expect(of(text, 'dragon')).toContain('sleeps')
  expect(of(text, 'dragon', { start, end: start + 500 })).toContain('wakes')
  expect(of(text, 'zebra', { start, end: start + 500 })).toContain('wakes')
})

test('without any of the words it is the beginning', () => {
  expect(of(LONG, 'zebra')).toMatch(/^Nothing of note .*…$/s)
  expect(of(LONG, '?!')).toMatch(/^Nothing of note .*…$/s)
})

test('the snippet of any text is a part of at most 300 units, cut between characters', () => {
  const piece = fc.oneof(
    fc.constantFrom('dragon ', 'blacksmith', ' ', '. ', '\n', '北京', '🫖', '👍🏽', '𠮷', 'e\u0301', '%', '\\'),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  const unspaced = fc.constantFrom('🫖', '𠮷', 'x', '字', 'dragon')
  const text = fc
    .oneof(...[piece, unspaced].map((one) => fc.array(one, { minLength: 1, maxLength: 400, size: 'max' })))
    .map((pieces) => pieces.join(''))
  const query = fc.constantFrom('dragon', 'blacksmith dragons', '北京', '🫖', 'zebra', 'e')
  fc.assert(
    fc.property(text, query, fc.option(fc.tuple(fc.nat(), fc.nat())), (whole, words, cut) => {
      const [a, b] = cut ? [cut[0] % whole.length, cut[1] % whole.length].sort((x, y) => x - y) : []
      const found = of(whole, words, a === undefined || b === undefined ? null : { start: a, end: b })
      const part = whole.length <= 300 ? found : found.replace(/^…/, '').replace(/…$/, '')
      expect(part.length).toBeLessThanOrEqual(300)
      expect(whole).toContain(part)
      expect(part.isWellFormed()).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test.each(['dragon', 'a', ' ', '字', '🫖', 'dragon '])(
  'security 33: 65,536 characters of %j take time that grows with their number',
  async (piece) => {
    const query = 'a dragon and many other words of a long query that nobody reads'
    expect(await growthOf(piece, 65_536, (text) => of(text, query))).toBeLessThan(LINEAR)
  },
)
