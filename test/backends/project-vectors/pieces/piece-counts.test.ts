import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PieceTable } from '../../../../src/backends/project-vectors/pieces/asked-pieces.ts'
import { countClass } from '../../../../src/backends/project-vectors/pieces/class-counts.ts'
import {
  countPieces,
  STATED_PARTS,
  statedCounts,
} from '../../../../src/backends/project-vectors/pieces/piece-counts.ts'
import { PieceLists } from '../../../../src/backends/project-vectors/pieces/piece-lists.ts'

const table: PieceTable = {
  rows: new Uint8Array(0),
  scales: new Float32Array(0),
  frequencyOf: (piece) => (piece === 7 ? 0.5 : 0.01),
}

test('without parts the counts are those that the model states', () => {
  const stated = statedCounts(table)
  expect([stated.parts, stated.of(7), stated.of(8)]).toEqual([STATED_PARTS, 100, 2])
  const none = countPieces(table, Uint16Array.of(7, 8), [])
  expect([none.parts, none.of(7), none.of(8)]).toEqual([STATED_PARTS, 100, 2])
})

test('a piece of the question counts once for each part that holds it; the next question begins at none', () => {
  const piece = fc.constantFrom(0, 1, 7, 8, 30_521, 65_535)
  const page = fc.array(fc.uniqueArray(fc.oneof(piece, fc.nat(65_535))), { maxLength: 64 })
  const classes = fc.uint8Array({ min: 0, max: 2, minLength: 64, maxLength: 64 })
  fc.assert(
    fc.property(fc.array(fc.tuple(page, classes), { maxLength: 3 }), fc.array(piece), (pages, question) => {
      const counted = pages.map(([lists, of]) => {
        const page = new PieceLists(64)
        page.set(
          0,
          Uint16Array.from(lists.flat()),
          lists.map((list) => list.length),
        )
        return countClass(page, (list) => of[list] === 1)
      })
      const parts = pages.flatMap(([lists, of]) => lists.filter((list, nth) => of[nth] === 1 && list.length > 0))
      const counts = countPieces(table, Uint16Array.from(question), counted)
      expect(counts.parts).toBe(STATED_PARTS + parts.length)
      for (const piece of question) {
        const own = parts.filter((pieces) => pieces.includes(piece)).length
        expect(counts.of(piece)).toBe(own + statedCounts(table).of(piece))
      }
    }),
  )
})

test('a long question is counted as a short one', () => {
  const lists = new PieceLists(64)
  const all = Uint16Array.from({ length: 3_000 }, (_, at) => 3 * at)
  lists.set(0, all, [2_000, 1_000])
  const counted = [countClass(lists, () => true)]
  const long = countPieces(
    table,
    Uint16Array.from({ length: 900 }, (_, at) => 10 * at),
    counted,
  )
  for (const piece of [0, 10, 30, 8_990]) {
    expect(long.of(piece)).toBe(countPieces(table, Uint16Array.of(piece), counted).of(piece))
    expect(long.of(piece)).toBe((piece % 3 === 0 ? 1 : 0) + statedCounts(table).of(piece))
  }
})
