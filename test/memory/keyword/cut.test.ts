/** @module-tag long */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cut, wordsOf } from '../../../src/memory/keyword/cut.ts'
import { MARK, MAX_INDEXED_TERMS, postingsOf } from '../../../src/memory/keyword/postings.ts'
import { queryTerms, queryWords } from '../../../src/memory/keyword/query-terms.ts'
import { growthOf, LINEAR } from '../../support/speed.ts'
import { system } from '../../support/world.ts'

const { vocabulary } = system
const furtherOf = (text: string): string[] => cut(text, vocabulary).further
const presentOf = (query: string): readonly string[] => queryTerms(query, vocabulary).present

test.each([
  ['case, accents and compatibility forms do not matter', 'Ünïcode CAFÉ ﬁne', ['unicod', 'cafe', 'fine']],
  [
    'letters that Unicode does not take apart are folded',
    'Straße Łódź smørrebrød œuf ışık',
    ['strass', 'lodz', 'smorrebrod', 'oeuf', 'isik'],
  ],
  ['English words meet in their stem', 'running runs run', ['run', 'run', 'run']],
  ['possessives and contractions stay one word', "the fox's don't", ['the', 'fox', 'dont']],
  [
    'a number keeps its separators, the last one as a point',
    '3.14 and 1,5 and 1,000.50',
    ['3．14', 'and', '1．5', 'and', '1，000．50'],
  ],
  [
    'versions, addresses and dates are numbers',
    'v1.22.3 10.0.13.7 2024.05.08',
    ['v1．22．3', '10．0．13．7', '2024．05．08'],
  ],
  [
    'identifiers are cut at their joints',
    'state_of_the-union a@b.org',
    ['state', 'of', 'the', 'union', 'a', 'b', 'org'],
  ],
  [
    'invisible characters are not there',
    'pass\u00ADword a\u200Bb \u200Fשלום كتـــاب می\u200Cروم',
    ['password', 'ab', 'שלום', 'كتاب', 'میروم'],
  ],
  ['emoji are words, whatever their skin', '👍🏽 👍 👨‍👩‍👧 🇫🇷 ❤️ ❤', ['👍', '👍', '👨‍👩‍👧', '🇫🇷', '❤', '❤']],
  ['signs are words, but for those of code', '€5 $7 ∑ ™ a < b + c', ['€', '5', '＄', '7', '∑', '™', 'a', 'b', 'c']],
  ['Chinese is cut by dictionary', '我喜欢猫', ['我', '喜欢', '猫']],
  ['Japanese', '東京へ行く', ['東京', 'へ', '行く']],
  ['digits of scripts without spaces', 'พ.ศ. ๒๕๖๗', ['พ', 'ศ', '๒๕๖๗']],
  ['a number that folding takes apart', '1½,2½', ['112', '212']],
  ['a number beside ideographs', '価格は1.5倍', ['価格', 'は', '1．5', '倍']],
  ['operators of FTS5 and LIKE are no words', '"* ^ ( ) { } : + - % _', []],
])('the words of a text: %s', (_, text, expected) => {
  expect(wordsOf(text)).toEqual(expected)
})

describe('further terms find a word by a part of it or in another form', () => {
  test.each([
    ['a word has its first five letters', 'Katzen', ['katze']],
    ['an English word has none: its stem suffices', 'hospitals working', []],
    ['nor has a word that is its own prefix, or a shorter one', 'quxel qux', []],
    [
      'the words behind an apostrophe',
      "l'hôpital dell'acqua Ayşe’nin",
      ['l', 'hopit', 'hopit', 'dell', 'acqua', 'ays', 'nin'],
    ],
    ['Arabic without its article, and four letters', 'المستشفى الباب كتاب', ['مستش', 'باب']],
    ['Korean by pairs of syllables', '병원에서', ['병원', '원에', '에서'].map((pair) => pair.normalize('NFKD'))],
    ['numbers by their parts', 'v1.22', ['1．22', 'v1', '22']],
    ['longer words without spaces in pairs', '図書館', ['図書', '書館']],
  ])('%s', (_, text, expected) => {
    expect(new Set(furtherOf(text))).toEqual(new Set(expected))
  })

  test('a single ideograph of a longer word is in the index, and a query does not ask for it', () => {
    expect(postingsOf('東京', null, vocabulary).postings).toContain(' 京·')
    expect(presentOf('東京')).toEqual(['東京'])
    expect(presentOf('京')).toEqual(['京'])
  })

  test('a query asks for other forms of a name that the vocabulary has, and of no common English word', () => {
    expect(presentOf('Helsinki')).toEqual(['helsinki', 'helsi'])
    expect(furtherOf('Asun Helsingissä')).toEqual(['helsi'])
    expect([furtherOf('Helsinki'), presentOf('government')]).toEqual([[], ['govern']])
  })

  test('they count neither as words nor in the length of a text, and come last in a query', () => {
    const { length, terms, postings } = postingsOf('Katzen und Hunde', null, vocabulary)
    expect([length, terms]).toEqual([3, 5])
    expect(postings).toContain(` katze${MARK}`)
    expect(presentOf('zwei Katzen schlafen')).toEqual(['zwei', 'katzen', 'schlafen', 'katze', 'schla'])
    const many = Array.from(
      { length: 80 },
      (_, at) => `wort${String.fromCodePoint(97 + (at % 26))}${'x'.repeat(1 + at / 26)}`,
    )
    expect(presentOf(many.join(' '))).toEqual(presentOf(many.slice(0, 64).join(' ')).slice(0, 64))
  })
})

describe('of one text 16,384 further terms are indexed besides its words', () => {
  test('the first ones, of a text with more of both', () => {
    // Letters that no stemmer changes. The first five of a word are a further term.
    const prefixOf = (at: number): string =>
      Array.from({ length: 5 }, (_, digit) => 'абвгдежз'[(at >> (3 * digit)) & 7]).join('')
    const words = Array.from({ length: MAX_INDEXED_TERMS + 2 }, (_, at) => `${prefixOf(at)}по`)
    const { postings, terms, length } = postingsOf(words.join(' '), null, vocabulary)
    expect([terms, length]).toEqual([2 * MAX_INDEXED_TERMS, words.length])
    const has = (term: string): boolean => postings.includes(` ${term}·`)
    for (const termOf of [prefixOf, (at: number) => `${prefixOf(at)}по`])
      expect([0, MAX_INDEXED_TERMS - 1, MAX_INDEXED_TERMS].map((at) => has(termOf(at)))).toEqual([true, true, false])
  })

  test('a text full of words has those of a word that is not indexed', () => {
    const full = Array.from({ length: MAX_INDEXED_TERMS }, (_, at) => String.fromCodePoint(0x20000 + at)).join('')
    const { postings, terms } = postingsOf(`${full} Katzen`, null, vocabulary)
    expect([' katzen·', ' katze·'].map((posting) => postings.includes(posting))).toEqual([false, true])
    expect(terms).toBe(MAX_INDEXED_TERMS + 1)
  })
})

test('no text forges a posting: a term has no ASCII but letters and digits, no mark and no space', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom(
      '·',
      '¸',
      'ŀ',
      'col·lecció',
      '12yfox·643',
      '1.5',
      '＄',
      "l'eau",
      '猫',
      '병원',
      'x'.repeat(200),
      ' ',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const { words, further, ideographs } = cut(pieces.join(''), vocabulary)
      for (const term of [...words, ...further, ...ideographs]) {
        expect(term).toMatch(/^[^\s·¸]+$/u)
        expect(term.replaceAll(/[a-z0-9]/g, '')).toMatch(/^\P{ASCII}*$/u)
        expect(Array.from(term).length).toBeLessThanOrEqual(64)
      }
    }),
    { numRuns: 500 },
  )
})

test('a query has terms without stop words, or all its terms where it has no others', () => {
  expect(presentOf('Who is the president of the club, the president?')).toEqual(['presid', 'club'])
  expect(presentOf('to be or not to be')).toEqual(['to', 'be', 'or', 'not'])
  expect(presentOf('?!')).toEqual([])
  expect(queryWords('zwei Katzen').present).toEqual(['zwei', 'katzen'])
})

test.each(["a'", 'a', '1.', 'v1.', '北京', '가나', 'á\u0301', '_a', 'x ', '👍🏽', '\u200D', 'كتاب'])(
  'security 33: 100 KB of %j is cut in time that grows with its length',
  async (piece) => {
    expect(await growthOf(piece, 100_000, (text) => cut(text, vocabulary))).toBeLessThan(LINEAR)
  },
)

/** What `wordsOf` does with text that has no spaces between words, written plainly. */
function plainWords(text: string): string[] {
  const fold = (word: string) =>
    word
      .normalize('NFKD')
      .replaceAll(/\p{M}+/gu, '')
      .toLowerCase()
  return [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) =>
      Array.from(fold(segment).replaceAll(/[^\p{L}\p{N}]/gu, ''))
        .slice(0, 64)
        .join(''),
    )
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
      expect(wordsOf(text)).toEqual(plainWords(text))
    }),
    { numRuns: 300 },
  )
})

test('more words than the cache holds are stemmed the same, the second time too', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const many = Array.from({ length: 26 ** 3 * 2 }, (_, n) =>
    [n, n / 26, n / 676, n / 17_576].map((at) => letters[Math.floor(at) % 26]).join(''),
  )
  const first = wordsOf(`${many.join(' ')} running`)
  expect(first).toHaveLength(many.length + 1)
  expect(first.at(-1)).toBe('run')
  expect(wordsOf(many.join(' '))).toEqual(first.slice(0, -1))
})
