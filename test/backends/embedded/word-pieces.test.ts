/** @module-tag long */
import { Tokenizer } from '@huggingface/tokenizers'
import { expect, test } from 'vitest'
import { isOnePiece, UNKNOWN, wordPieces } from '../../../src/backends/embedded/word-pieces.ts'
import vocabulary from '../../../src/backends/embedded/vocab.txt'
import { growthOf, LINEAR } from '../../support/speed.ts'
import { samples } from './samples.ts'

const pieces = vocabulary.trimEnd().split('\n')

/** The whole library, as the card of the model says. */
const library = new Tokenizer(
  {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: true,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
    },
  },
  {},
)

test('the ids of the 40 texts that came with the model', () => {
  expect(samples).toHaveLength(40)
  for (const { text, ids } of samples) expect(wordPieces(text), text).toEqual(ids)
})

const JOINTS = [' ', ' ', ' ', '', '\n', '\t', ', ', '. ', '\u00a0', '\u3000', '\u2028', '\v', '\f', '\u0085', '\ufeff']
const ODD = [
  '北京',
  'テスト',
  '𠮷',
  '한국어',
  'ΟΔΟΣ',
  'İ',
  'ß',
  'é',
  'e\u0301',
  'ﬁ',
  'Ǆ',
  '٣',
  '½',
  '🫖',
  '≠',
  '`',
  '\u037e',
  '’',
].concat([
  'x'.repeat(100),
  'ä'.repeat(101),
  '𝒳'.repeat(60),
  'C++',
  '$5.00',
  'a_b',
  '\u200b',
  '\u200d',
  '\0',
  '\ufffd',
  '\ud800',
])

/** A text of pieces of the vocabulary, in lower and upper case, of odd characters and of any character. */
function textOf(next: (below: number) => number): string {
  const parts: string[] = []
  for (let left = 1 + next(12); left > 0; left--) {
    const kind = next(10)
    const piece = (pieces[next(pieces.length)] ?? '').replace(/^##/, '')
    if (kind < 5) parts.push(piece)
    else if (kind < 7) parts.push(piece.toUpperCase())
    else if (kind < 9) parts.push(ODD[next(ODD.length)] ?? '')
    else parts.push(String.fromCodePoint(next(0x1_10_00)))
    parts.push(JOINTS[next(JOINTS.length)] ?? '')
  }
  return parts.join('')
}

test('the ids of 10,000 texts are those of the library', () => {
  let state = 20
  const next = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below
  const texts = Array.from({ length: 10_000 }, () => textOf(next))
  const differ = texts.filter((text) => {
    const { ids } = library.encode(text, { add_special_tokens: false })
    return JSON.stringify(wordPieces(text)) !== JSON.stringify(ids)
  })
  expect(differ).toEqual([])
  // The texts are what they are meant to be: most of their words are known, and some are not.
  const known = texts.flatMap(wordPieces)
  expect(new Set(known).size).toBeGreaterThan(20_000)
  expect(known.filter((piece) => piece === UNKNOWN).length).toBeGreaterThan(1_000)
})

test('a word is one piece where the library has one for it', () => {
  const words = [
    'kettle',
    'Kettle',
    'KETTLES',
    'zzzz',
    'a',
    'naïve',
    'café',
    'Müdigkeit',
    '猫',
    'x'.repeat(101),
    '##s',
    '',
  ]
  for (const word of [...words, ...pieces.slice(0, 3_000)]) {
    const { ids } = library.encode(word, { add_special_tokens: false })
    expect(isOnePiece(word), word).toBe(ids.length === 1 && ids[0] !== UNKNOWN)
  }
  expect(words.map(isOnePiece)).toContain(true)
  expect(words.map(isOnePiece)).toContain(false)
})

test.each([
  ['words', 'kettle '],
  ['one word', 'x'],
  ['words that are just not too long', `${'q'.repeat(100)} `],
  ['punctuation', '!'],
  ['accents', 'é'],
  ['marks', 'e\u0301'],
  ['Chinese', '字'],
  ['emoji', '🫖'],
  ['zero width', '\u200b'],
])('security 33: 65,536 characters of %s take time that grows with their number', async (_, piece) => {
  expect(await growthOf(piece, 65_536, wordPieces)).toBeLessThan(LINEAR)
})
