/** @module-tag long */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { queryTerms, tokenize } from '../../../src/memory/keyword/tokenize.ts'
import { growthOf, LINEAR } from '../../support/speed.ts'

test.each([
  ['case, accents and compatibility forms do not matter', 'Ünïcode CAFÉ ﬁne', ['unicod', 'cafe', 'fine']],
  ['English words meet in their stem', 'running runs run', ['run', 'run', 'run']],
  ['possessives and contractions stay one word', "the fox's don't", ['the', 'fox', 'dont']],
  ['separators in a number do not cut it', '3.14 and 1,000', ['314', 'and', '1000']],
  [
    'identifiers are cut at their joints',
    'state_of_the-union a@b.org',
    ['state', 'of', 'the', 'union', 'a', 'b', 'org'],
  ],
  ['Chinese is cut by dictionary, longer words also in pairs', '我喜欢猫', ['我', '喜欢', '猫']],
  ['Japanese', '東京へ行く', ['東京', 'へ', '行く']],
  ['operators of FTS5 and LIKE are no words', '"* ^ ( ) { } : + - % _', []],
])('tokenize: %s', (_, text, expected) => {
  expect(tokenize(text)).toEqual(expected)
})

test('a term is letters and digits only, at most 64', () => {
  for (const term of tokenize(`${'x'.repeat(200)} 👍🏽 a\u200Bb “quoted” ${'é'.repeat(100)} हिन्दी עברית`)) {
    expect(term).toMatch(/^[\p{L}\p{N}]{1,64}$/u)
  }
})

test('a query has terms without stop words, or all its terms where it has no others', () => {
  expect(queryTerms('Who is the president of the club, the president?')).toEqual(['presid', 'club'])
  expect(queryTerms('to be or not to be')).toEqual(['to', 'be', 'or', 'not'])
  expect(queryTerms('?!')).toEqual([])
})

test.each(["a'", 'a', '1.', '北京', 'á\u0301', '_a', 'x '])(
  'security 33: 100 KB of %j is cut in time that grows with its length',
  async (piece) => {
    expect(await growthOf(piece, 100_000, tokenize)).toBeLessThan(LINEAR)
  },
)

/** What `tokenize` does with text that has no spaces between words, written plainly. */
function plainTerms(text: string): string[] {
  const fold = (word: string) =>
    word
      .normalize('NFKD')
      .replaceAll(/\p{M}+/gu, '')
      .toLowerCase()
  return [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => {
      const characters = Array.from(fold(segment).replaceAll(/[^\p{L}\p{N}]/gu, ''))
      const pairs = characters.length > 2 ? characters.slice(1).map((next, at) => `${characters[at]}${next}`) : []
      return [characters.slice(0, 64).join(''), ...pairs]
    })
}

test('ideographs, kana, compatibility forms and Thai are cut the same on each path', () => {
  // 𠮷 takes two UTF-16 units; 﨑, が and ガ change when they are folded.
  const piece = fc.constantFrom(
    ...Array.from('我們喜欢北京大学図書館国際連合𠮷野家'),
    '﨑',
    'が',
    'ガ',
    'カタカナ',
    'ひらがな',
    'ภาษาไทย',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200, size: 'max' }), (pieces) => {
      const text = pieces.join('')
      expect(tokenize(text)).toEqual(plainTerms(text))
    }),
    { numRuns: 300 },
  )
})

test('more words than the cache holds are stemmed the same, the second time too', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const many = Array.from({ length: 26 ** 3 * 2 }, (_, n) =>
    [n, n / 26, n / 676, n / 17_576].map((at) => letters[Math.floor(at) % 26]).join(''),
  )
  const first = tokenize(`${many.join(' ')} running`)
  expect(first).toHaveLength(many.length + 1)
  expect(first.at(-1)).toBe('run')
  expect(tokenize(many.join(' '))).toEqual(first.slice(0, -1))
})
