import { expect, test } from 'vitest'
import { queryTerms } from '../../../src/memory/keyword/query-terms.ts'
import { queryWordsOf, sharedWith } from '../../../src/memory/recall/query-words.ts'
import { system } from '../../support/world.ts'

const { vocabulary } = system

/** The words of the query that find something, each by its terms. */
function wordsIn(query: string): string[][] {
  const terms = queryTerms(query, vocabulary).present
  return queryWordsOf(query, terms, vocabulary).map((places) => places.map((place) => terms[place] ?? ''))
}

test.each([
  ['What am I allergic to?', [['allerg', 'aller']]],
  ['Wo ist die Katze?', [['katz', 'katze']]],
  ['Write a poem about my dog', [['poem'], ['dog']]],
  ['犬はどこですか?', [['犬']]],
  ['What is it?', []],
  ['Do the cats wash themselves?', [['cat'], ['wash']]],
])('%j asks for %j', (query, expected) => {
  expect(wordsIn(query).map((terms) => [...new Set(terms)])).toEqual(expected.map((terms) => [...new Set(terms)]))
})

test('in a project of few items no word counts as rare or common', () => {
  const { share } = sharedWith([[0], [1]], '1', { items: 2, terms: [1, 0] })
  expect(share).toBeGreaterThan(0.4)
})

test('a text shares words, and a rare one weighs more', () => {
  const words = [[0], [1, 2]]
  const known = { items: 100, terms: [1, 0, 90] }
  expect(sharedWith(words, null, known)).toEqual({ words: 0, share: 0 })
  expect(sharedWith(words, '0', known)).toEqual({ words: 0, share: 0 })
  expect(sharedWith(words, '7', known)).toEqual({ words: 2, share: 1 })
  expect(sharedWith(words, '1', known).share).toBeGreaterThan(0.9)
  expect(sharedWith(words, '4', known).share).toBeLessThan(0.1)
  // The 64th term of a query is the sign of the number.
  expect(sharedWith([[63]], String(-(2n ** 63n)), { items: 1, terms: [] }).words).toBe(1)
})
