/** @module-tag long */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_CHUNKS, pieceChunks } from '../../../src/backends/embedded/piece-chunks.ts'
import { wordPieces } from '../../../src/backends/embedded/word-pieces.ts'
import type { Chunk, CutChunk } from '../../../src/core/vectors.ts'
import { growthOf, LINEAR } from '../../support/speed.ts'

const sizes = (text: string, cut: readonly Chunk[]) =>
  cut.map(({ start, end }) => wordPieces(text.slice(start, end)).length)

const offsetsOf = (cut: readonly Chunk[]): Chunk[] => cut.map(({ start, end }) => ({ start, end }))

/**
 * Holds for every text: its chunks are in order, cover all of it, are not too many and are cut between characters. A chunk
 * that has pieces has those of its part.
 */
function expectWhole(text: string): CutChunk[] {
  const cut = pieceChunks(text)
  const wrong = cut.filter(({ start, end }, index) => {
    const before = cut[index - 1] ?? { start: -1, end: 0 }
    const follows = start > before.start && start <= before.end && end > before.end
    return !follows || (text.isWellFormed() && !text.slice(start, end).isWellFormed())
  })
  expect(wrong).toEqual([])
  const known = cut.filter(({ pieces }) => pieces !== undefined)
  expect(known.map(({ pieces = [] }) => [...pieces])).toEqual(
    known.map(({ start, end }) => wordPieces(text.slice(start, end))),
  )
  expect(cut[0]?.start).toBe(0)
  expect(cut.at(-1)?.end).toBe(text.length)
  expect(cut.length).toBeLessThanOrEqual(MAX_CHUNKS)
  return cut
}

test('64 pieces are one chunk; one more makes two, and the second begins with the last quarter of the first', () => {
  const words = (count: number) => 'tea '.repeat(count).trimEnd()
  expect(offsetsOf(pieceChunks(words(64)))).toEqual([{ start: 0, end: words(64).length }])
  expect(offsetsOf(pieceChunks(words(65)))).toEqual([
    { start: 0, end: 64 * 4 },
    { start: 48 * 4, end: words(65).length },
  ])
})

test('a passage of 130 pieces is three chunks, cut between words', () => {
  const passage = Array.from({ length: 130 }, (_, at) => (at % 3 === 0 ? 'sugar' : 'kettle')).join(' ')
  const cut = expectWhole(passage)
  expect(cut).toHaveLength(3)
  for (const { start, end } of cut) expect(passage.slice(start, end)).toMatch(/^((kettle|sugar)( |$))+$/)
})

test('a chunk between words has its pieces; one that cuts an address has none', () => {
  const address = 'https://example.com/a?b=c&d=e'.repeat(4)
  const cut = expectWhole(`${'Kettle na\u00efve\u00a0tea. '.repeat(40)}${address} ${'sugar '.repeat(80)}`)
  const known = cut.map(({ pieces }) => pieces !== undefined)
  expect(known[0]).toBe(true)
  expect(known.at(-1)).toBe(true)
  expect(known).toContain(false)
})

test('a text of many pieces has longer chunks, at most 256', () => {
  const long = 'tea '.repeat(16_384)
  const cut = expectWhole(long)
  expect(cut.length).toBeGreaterThan(MAX_CHUNKS * 0.8)
  expect(Math.max(...sizes(long, cut))).toBeLessThan(100)
})

test.each([
  ['Chinese', '天气'],
  ['Korean', `${'한국어'.repeat(9)}.`],
  ['Thai', `${'ไทย'.repeat(9)}.`],
  ['an address', 'https://example.com/a?b=c&'],
  ['letters and marks', `${'e\u0301'.repeat(30)}-`],
])('%s without a space is cut too', (_, piece) => {
  const text = piece.repeat(40)
  const cut = expectWhole(text)
  expect(cut.length).toBeGreaterThan(1)
  expect(Math.max(...sizes(text, cut))).toBeLessThanOrEqual(64)
})

test('a word that is too long to be known is one piece, and is not cut', () => {
  for (const word of ['x'.repeat(400), '한'.repeat(400), '🫖'.repeat(400)])
    expect(offsetsOf(pieceChunks(word))).toEqual([{ start: 0, end: word.length }])
})

test('a text without a word, and an empty one, are one chunk', () => {
  for (const text of ['', ' ', '\n\n', '…', '🫖'])
    expect(offsetsOf(pieceChunks(text))).toEqual([{ start: 0, end: text.length }])
})

test('the chunks of any text of any script cover all of it', () => {
  const piece = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        'word',
        ' ',
        '. ',
        '\n',
        '北京大学',
        'カタカナ',
        'é',
        '한국어',
        'ไทย',
        'a1b2c3d4e5f6g7h8i9',
      ),
    },
    fc.constantFrom('🫖', '👨‍👩‍👧', '𠮷', 'e\u0301', '\u200d', '\u00a0', '\ufeff'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 200, size: 'max' }), (pieces) => {
      expectWhole(pieces.join(''))
    }),
    { numRuns: 30 },
  )
})

describe('security 33: 65,536 characters', () => {
  test.each([
    ['sentences', 'Nothing of note happened on this day. '],
    ['one run of letters', 'x'],
    ['one run of digits and letters', 'x1'],
    ['one run of Chinese', '字'],
    ['emoji', '🫖'],
    ['one character and its marks', '\u0301'],
    ['spaces', ' '],
  ])('%s', async (_, piece) => {
    expect(await growthOf(piece, 65_536, pieceChunks)).toBeLessThan(LINEAR)
    expectWhole(piece.repeat(Math.ceil(65_536 / piece.length)))
  })
})
