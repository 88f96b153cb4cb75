import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PieceCounts, PieceTable } from '../../../../src/backends/project-vectors/pieces/asked-pieces.ts'
import { lateInteraction } from '../../../../src/backends/project-vectors/pieces/late-interaction.ts'
import { PieceLists, type PieceList } from '../../../../src/backends/project-vectors/pieces/piece-lists.ts'
import { cosine, plainLateInteraction, vectorOf } from '../../../support/plain-late-interaction.ts'

const PIECES = 60
/** The counts of these tests are their own. */
const frequencyOf = () => NaN
/** Bytes of a row: 256 dimensions. */
const ROW = 128

/** Pieces of a family resemble one another, so that some cosines lie above 0.35 and some below. */
function tableOf(seed: number): PieceTable {
  let state = seed
  const random = () => ((state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 8) / 2 ** 24
  const nibble = (middle: number) => Math.max(0, Math.min(15, Math.round(middle + (random() - 0.5) * 10)))
  const families = Array.from({ length: 5 }, () => Array.from({ length: 2 * ROW }, () => 4 + random() * 8))
  const rows = Uint8Array.from({ length: PIECES * ROW }, (_, at) => {
    const family = families[Math.floor(at / ROW) % families.length] ?? []
    const dimension = 2 * (at % ROW)
    return nibble(family[dimension] ?? 8) + 16 * nibble(family[dimension + 1] ?? 8)
  })
  // A piece without a vector.
  rows.fill(0x88, 7 * ROW, 8 * ROW)
  const scales = Float32Array.from({ length: PIECES }, (_, piece) => (piece === 8 ? 0 : 0.01 + random()))
  return { rows, scales, frequencyOf }
}

const countsOf = (parts: number, counts: readonly number[]): PieceCounts => ({
  parts,
  of: (piece) => counts[piece] ?? 0,
})

function listOf(pieces: Uint16Array): PieceList {
  const lists = new PieceLists(1)
  lists.set(0, pieces, [pieces.length])
  return { lists, list: 0 }
}

const lateInteractionOf = (
  table: PieceTable,
  question: Uint16Array,
  counts: PieceCounts,
  parts: readonly Uint16Array[],
) => lateInteraction(table, question, counts, parts.map(listOf))

const pieces = (maxLength: number, largest = PIECES - 1) =>
  fc.uint16Array({ min: 0, max: largest, minLength: 0, maxLength })
const counts = fc
  .integer({ min: 0, max: 500 })
  .chain((parts) =>
    fc
      .array(fc.integer({ min: 0, max: parts }), { minLength: PIECES, maxLength: PIECES })
      .map((of) => countsOf(parts, of)),
  )

/** No cosine so near to 0.35 that its rounding decides. */
const clear = (table: PieceTable, question: Uint16Array, parts: readonly Uint16Array[]): boolean =>
  [...new Set(question)].every((asked) =>
    [...new Set(parts.flatMap((part) => [...part]))].every(
      (piece) => Math.abs(cosine(vectorOf(table, asked), vectorOf(table, piece)) - 0.35) > 1e-6,
    ),
  )

test('it is the formula of the card, for any question, parts, counts and table', () => {
  const seed = fc.integer({ min: 1, max: 1_000_000 })
  // Pieces that the table lacks count as pieces without a vector.
  const parts = fc.array(pieces(30, PIECES + 5), { maxLength: 8 })
  fc.assert(
    fc.property(seed, pieces(40), counts, parts, (seed, question, counts, parts) => {
      const table = tableOf(seed)
      fc.pre(clear(table, question, parts))
      const got = lateInteractionOf(table, question, counts, parts)
      const plain = parts.map((part) => plainLateInteraction(table, question, counts, [...part]))
      const known = [...question].some((piece) => piece !== 7 && piece !== 8)
      expect(got?.length).toBe(known ? parts.length : undefined)
      const wrong = [...(got ?? [])].filter((score, nth) => !(Math.abs(score - (plain[nth] ?? NaN)) < 1e-5))
      expect(wrong).toEqual([])
    }),
    { numRuns: 60 },
  )
})

test('a part with the very pieces of the question has 1, an empty part and strange pieces have 0', () => {
  const table = tableOf(3)
  const question = Uint16Array.of(1, 12, 12, 40)
  const scores = lateInteractionOf(table, question, countsOf(10, []), [
    Uint16Array.of(40, 12, 1, 3),
    new Uint16Array(0),
    Uint16Array.of(7, 8, 60_000, 65_535),
  ])
  expect(scores?.[0]).toBeCloseTo(1, 6)
  expect([...(scores ?? [])].slice(1)).toEqual([0, 0])
})

test('a piece whose scale is 0 has no vector, whatever its row says', () => {
  const table = tableOf(3)
  table.rows.copyWithin(8 * ROW, ROW, 2 * ROW)
  expect([...(lateInteractionOf(table, Uint16Array.of(1), countsOf(10, []), [Uint16Array.of(8)]) ?? [])]).toEqual([0])
})

test('a rare piece weighs more than a common one', () => {
  const table = tableOf(5)
  const [rare, common] = [10, 21]
  table.scales.fill(1)
  const counts = countsOf(100, Object.assign([], { [rare]: 1, [common]: 90 }))
  const [withRare = 0, withCommon = 0] =
    lateInteractionOf(table, Uint16Array.of(rare, common), counts, [Uint16Array.of(rare), Uint16Array.of(common)]) ?? []
  expect(withRare).toBeGreaterThan(withCommon)
})

test('a question without pieces, or of pieces without vectors alone, has none', () => {
  const table = tableOf(1)
  expect(lateInteractionOf(table, new Uint16Array(0), countsOf(5, []), [Uint16Array.of(1)])).toBeNull()
  expect(lateInteractionOf(table, Uint16Array.of(7, 8, 60_000), countsOf(5, []), [Uint16Array.of(1)])).toBeNull()
})

test('a long question counts by its 64 heaviest pieces', () => {
  const wide: PieceTable = {
    rows: Uint8Array.from({ length: 200 * ROW }, (_, at) => (Math.imul(at + 1, 2_654_435_761) >>> 13) & 255),
    scales: Float32Array.from({ length: 200 }, (_, piece) => 1 + piece),
    frequencyOf,
  }
  const counts = countsOf(1_000, [])
  const part = Uint16Array.from({ length: 50 }, (_, at) => 4 * at)
  const question = Uint16Array.from({ length: 200 }, (_, at) => at)
  const weight = (piece: number) => Math.hypot(...vectorOf(wide, piece))
  const heaviest = [...question].sort((a, b) => weight(b) - weight(a)).slice(0, 64)
  const [score] = lateInteractionOf(wide, question, counts, [part]) ?? []
  expect(score).toBeCloseTo(plainLateInteraction(wide, heaviest, counts, [...part]), 5)
})

test('the largest values of 1,152 dimensions do not overflow', () => {
  const row = (1_152 / 2) * 2
  for (const [first, second] of [
    [0x00, 0xff],
    [0xff, 0xff],
    [0x00, 0x00],
  ] as const) {
    const rows = new Uint8Array(row).fill(first, 0, row / 2).fill(second, row / 2)
    const table = { rows, scales: Float32Array.of(1, 1), frequencyOf }
    const [score] = lateInteractionOf(table, Uint16Array.of(0), countsOf(2, []), [Uint16Array.of(1)]) ?? []
    expect(score).toBeCloseTo(first === second ? 1 : 0, 6)
  }
})

test('many parts of many pieces: the order of parts and the memory of earlier calls change nothing', () => {
  const table = tableOf(9)
  const parts = Array.from({ length: 3_000 }, (_, nth) =>
    Uint16Array.from({ length: nth % 40 }, (_, at) => (nth * 7 + at * 3) % PIECES),
  )
  const question = Uint16Array.from({ length: 20 }, (_, at) => 3 * at)
  const counts = countsOf(3_000, [])
  const all = lateInteractionOf(table, question, counts, parts)
  for (const nth of [0, 1, 39, 1_234, 2_999])
    expect(lateInteractionOf(table, question, counts, parts.slice(nth, nth + 1))?.[0]).toBe(all?.[nth])
})
