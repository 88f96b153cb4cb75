import { expect, test } from 'vitest'
import { pieceTable } from '../../../src/backends/embedded/piece-table.ts'
import { EMBEDDED_DIMENSION as DIMENSION } from '../../../src/backends/embedded/dimension.ts'
import { samples } from './samples.ts'

test('the vectors of the 40 texts that came with the model, each number within 1e-5', async () => {
  const table = await pieceTable()
  for (const { text, ids, vector } of samples) {
    const values = table.vectorOf(Uint16Array.from(ids)) ?? new Float32Array(DIMENSION)
    expect(values).toHaveLength(vector.length)
    const off = vector.map((value, at) => Math.abs(value - (values[at] ?? NaN)))
    expect(Math.max(...off), text).toBeLessThan(1e-5)
  }
})

test('pieces that mean nothing have no vector, alone or together, and change none', async () => {
  const table = await pieceTable()
  expect(table.vectorOf(Uint16Array.of())).toBeNull()
  expect(table.vectorOf(Uint16Array.of(0, 100, 101, 102))).toBeNull()
  expect(table.vectorOf(Uint16Array.of(100, 5_572, 0))).toEqual(table.vectorOf(Uint16Array.of(5_572)))
})

test('the stored values of a piece times its scale are its vector', async () => {
  const table = await pieceTable()
  for (const piece of [1_996, 5_572, 30_521]) {
    const stored = table.stored(piece)
    const length = Math.hypot(...stored)
    expect(stored).toHaveLength(DIMENSION)
    expect(Math.min(...stored)).toBeGreaterThanOrEqual(-8)
    expect(Math.max(...stored)).toBeLessThanOrEqual(7)
    const off = Array.from(table.vectorOf(Uint16Array.of(piece)) ?? [], (value, at) =>
      Math.abs(value - (stored[at] ?? NaN) / length),
    )
    expect(off).toHaveLength(DIMENSION)
    expect(Math.max(...off)).toBeLessThan(1e-6)
  }
})

test.each([1_001, 10_000])('a vector of %i pieces is the normalised sum of theirs', async (length) => {
  const table = await pieceTable()
  const pieces = Uint16Array.from({ length }, (_, nth) => (nth * 7_919) % table.scales.length)
  const sums = new Float64Array(DIMENSION)
  for (const piece of pieces) table.stored(piece).forEach((value, at) => (sums[at]! += value * table.scales[piece]!))
  const norm = Math.hypot(...sums)
  const off = Array.from(sums, (sum, at) => Math.abs(sum / norm - (table.vectorOf(pieces)?.[at] ?? NaN)))
  expect(Math.max(...off)).toBeLessThan(1e-5)
})

test('the table is read once', async () => {
  const [one, two] = await Promise.all([pieceTable(), pieceTable()])
  expect(one).toBe(two)
  expect(one.scales).toHaveLength(30_522)
  expect(one.rows).toHaveLength(30_522 * (DIMENSION / 2))
})
