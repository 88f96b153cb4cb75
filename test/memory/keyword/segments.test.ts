import { expect, test } from 'vitest'
import { parseStructure } from '../../../src/memory/keyword/segments.ts'

/** Two levels: two segments that are being merged, and one with a deleted page. 300 takes two bytes. */
const RECORD = [
  [0, 0, 0, 7, 0xff, 0, 0, 1],
  [2, 3, 12],
  [2, 2, 1, 1, 4, 5, 5, 0, 0, 9, 2, 1, 2, 6, 6, 0, 0, 9],
  [0, 1, 3, 1, 9, 1, 0x82, 0x2c, 1, 4, 40],
].flat()

test('the record of FTS5 tells its segments, whether they are being merged, and where deleted texts are', () => {
  expect(parseStructure(Uint8Array.from(RECORD))).toEqual({
    segments: [
      { key: '1:5:5', deletedPages: 0 },
      { key: '2:6:6', deletedPages: 0 },
      { key: '3:1:300', deletedPages: 1 },
    ],
    isMerging: true,
  })
})

test.each([
  ['of another form', [0, 0, 0, 7, 1, 0, 0]],
  ['cut short', RECORD.slice(0, -3)],
])('a record %s is an error', (_name, record) => {
  expect(() => parseStructure(Uint8Array.from(record))).toThrow(/keyword index/)
})
