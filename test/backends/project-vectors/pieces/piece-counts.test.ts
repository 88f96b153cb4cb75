import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PieceTable } from '../../../../src/backends/project-vectors/pieces/asked-pieces.ts'
import {
  countPieces,
  STATED_PARTS,
  statedCounts,
} from '../../../../src/backends/project-vectors/pieces/piece-counts.ts'

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
  const part = fc.uniqueArray(fc.constantFrom(0, 1, 7, 8, 30_521, 65_535))
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.constantFrom(0, 1, 7, 8, 65_535)), (parts, question) => {
      const counted = parts.map((pieces) => ({ pieces: Uint16Array.from(pieces), parts: 1 }))
      const counts = countPieces(table, Uint16Array.from(question), counted)
      expect(counts.parts).toBe(STATED_PARTS + parts.length)
      for (const piece of question) {
        const own = parts.filter((pieces) => pieces.includes(piece)).length
        expect(counts.of(piece)).toBe(own + statedCounts(table).of(piece))
      }
    }),
  )
})
