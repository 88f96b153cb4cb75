import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slices } from '../../../src/core/database/slices.ts'
import { db } from '../../support/world.ts'

const D1_PARAMETER_BYTES = 2_000_000
const bytes = (json: string): number => new TextEncoder().encode(json).byteLength

test('no rows are no slices', () => {
  expect(slices([])).toEqual([])
})

test('all rows are there once, in order, in slices that D1 binds', () => {
  const unit = fc.constantFrom('x', '字', '🫖', '"', '\\', '\u0001')
  const row = fc
    .tuple(fc.nat(), unit, fc.nat(130_000))
    .map(([id, one, times]) => ({ id, text: one.repeat(times / one.length) }))
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12, size: 'max' }), (rows) => {
      const cut = slices(rows)
      expect(cut.flatMap((json): unknown => JSON.parse(json))).toEqual(rows)
      for (const json of cut) expect(bytes(json)).toBeLessThan(D1_PARAMETER_BYTES)
    }),
    { numRuns: 30 },
  )
})

test('rows are cut as late as they can be', () => {
  const rows = Array.from({ length: 50 }, (_, id) => ({ id, text: 'x'.repeat(65_536) }))
  expect(slices(rows)).toHaveLength(Math.ceil(50 / Math.floor(500_000 / 65_550)))
  expect(slices(rows.slice(0, 7))).toHaveLength(1)
})

test('D1 binds the largest slice: texts of the most bytes a character', async () => {
  const rows = Array.from({ length: 10 }, (_, id) => ({ id, text: '字'.repeat(65_536) }))
  for (const json of slices(rows)) {
    const [row] = await db.all<{ n: number }>('select count(*) as n from json_each(:json)', { json })
    expect(row?.n).toBe((JSON.parse(json) as unknown[]).length)
  }
})
