/** @module-tag long */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sentenceChunks } from '../../src/backends/sentence-chunks.ts'
import type { Chunk } from '../../src/core/vectors.ts'
import { growthOf, LINEAR } from '../support/speed.ts'

const parts = (text: string, cut: Chunk[]) => cut.map(({ start, end }) => text.slice(start, end))

/** Model tokens, estimated high: three Latin letters are one, any other character is one. */
const size = (text: string): number => {
  const other = text.split('').filter((unit) => unit > 'ɏ').length
  return Math.ceil((text.length - other) / 3) + other
}

/** Holds for every text: its chunks are in order, cover all of it, fit the model and are cut between characters. */
function expectWhole(text: string, maxTokens: number): Chunk[] {
  const cut = sentenceChunks(text, maxTokens)
  const wrong = cut.filter(({ start, end }, index) => {
    const before = cut[index - 1] ?? { start: -1, end: 0 }
    const part = text.slice(start, end)
    const follows = start > before.start && start <= before.end && end > before.end
    return !follows || size(part) > maxTokens || !part.isWellFormed()
  })
  expect(wrong).toEqual([])
  expect(cut.at(-1)?.end).toBe(text.length)
  return cut
}

test('a short text is one chunk', () => {
  expect(sentenceChunks('Tea.', 512)).toEqual([{ start: 0, end: 4 }])
  expect(sentenceChunks('x'.repeat(3 * 512), 512)).toHaveLength(1)
  expect(sentenceChunks('x'.repeat(3 * 512 + 1), 512)).toHaveLength(2)
})

test('chunks end with sentences, and begin with the last ones of the chunk before', () => {
  const text = Array.from({ length: 30 }, (_, n) => `Sentence ${String(n).padStart(2, '0')} ends. `).join('')
  const cut = parts(text, expectWhole(text, 48))
  for (const part of cut) expect(part).toMatch(/^Sentence .* ends\. $/s)
  for (const [index, part] of cut.slice(1).entries()) {
    const repeated = part.slice(0, 'Sentence 00 ends. '.length)
    expect(cut[index]?.endsWith(repeated)).toBe(true)
  }
  // A chunk has eight sentences, and the first of them repeats the last one of the chunk before.
  expect(cut.length).toBe(Math.ceil((30 - 1) / 7))
})

test('a sentence that is too long is cut after a space, or where there is none between two characters', () => {
  const words = 'word '.repeat(100)
  for (const part of parts(words, expectWhole(words, 20))) expect(part).toMatch(/^(word )+$/)
  const blob = 'x'.repeat(500)
  expect(parts(blob, expectWhole(blob, 20)).join('')).toBe(blob)
})

test('the chunks of any text of any script cover all of it and fit', () => {
  const piece = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom('word', ' ', '. ', '! ', '\n', '北京大学', '。', 'カタカナ', 'é', '한국어', 'ไทย'),
    },
    fc.constantFrom('🫖', '👍🏽', '👨‍👩‍👧', '𠮷', 'e\u0301', '\u200d', '\u00a0'),
    // No text of an item is empty.
    fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  )
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 300, size: 'max' }),
      fc.integer({ min: 4, max: 60 }),
      (pieces, maxTokens) => {
        expectWhole(pieces.join(''), maxTokens)
      },
    ),
    { numRuns: 100 },
  )
})

describe('65,536 characters', () => {
  test.each([
    ['Latin sentences', 'Nothing of note happened on this day. ', 512],
    ['one run of Latin letters', 'x', 512],
    ['Chinese sentences', '今天天气很好。', 512],
    ['one run of Chinese', '字', 512],
    ['emoji, two UTF-16 units each', '🫖', 512],
    ['one character and its marks', 'e\u0301', 512],
    ['spaces', ' ', 512],
    ['line ends', '\n', 512],
    ['a model that reads little', 'A word. 字', 8],
  ])('%s', async (_, piece, maxTokens) => {
    const characters = Array.from(piece)
    const text = Array.from({ length: 65_536 }, (__, at) => characters[at % characters.length]).join('')
    expect(await growthOf(piece, 65_536, (long) => sentenceChunks(long, maxTokens))).toBeLessThan(LINEAR)
    expectWhole(text, maxTokens)
  })
})
