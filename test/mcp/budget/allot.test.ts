import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allot } from '../../../src/mcp/budget/allot.ts'

const needs = (...pairs: [least: number, whole: number][]) => pairs.map(([least, whole]) => ({ least, whole }))

test.each<[string, [number, number][], number, number[]]>([
  ['nothing', [], 10, []],
  [
    'all as a whole',
    [
      [1, 5],
      [1, 5],
    ],
    10,
    [5, 5],
  ],
  [
    'long ones in equal shares',
    [
      [1, 50],
      [1, 50],
    ],
    10,
    [5, 5],
  ],
  [
    'what a short one leaves, to the long ones',
    [
      [1, 2],
      [1, 50],
      [1, 50],
    ],
    20,
    [2, 9, 9],
  ],
  [
    'the first that fit at least',
    [
      [4, 9],
      [4, 9],
      [4, 9],
    ],
    10,
    [5, 5],
  ],
  [
    'nothing smaller from behind',
    [
      [4, 9],
      [8, 9],
      [1, 1],
    ],
    10,
    [9],
  ],
  [
    'the first, whatever it needs',
    [
      [40, 90],
      [1, 1],
    ],
    10,
    [40],
  ],
])('it gives %s', (_, pairs, budget, shares) => {
  expect(allot(needs(...pairs), budget)).toEqual(shares)
})

test('no share is below what is needed at least, or above the whole, and all of them fit', () => {
  const need = fc.record({ least: fc.nat(50), more: fc.nat(500) })
  fc.assert(
    fc.property(fc.array(need, { minLength: 1, maxLength: 30 }), fc.nat(3_000), (drawn, budget) => {
      const entries = drawn.map(({ least, more }) => ({ least, whole: least + more }))
      const shares = allot(entries, budget)
      expect(shares.length).toBeGreaterThan(0)
      for (const [at, share] of shares.entries()) {
        expect(share).toBeGreaterThanOrEqual(entries[at]?.least ?? NaN)
        expect(share).toBeLessThanOrEqual(entries[at]?.whole ?? NaN)
      }
      const total = shares.reduce((sum, share) => sum + share, 0)
      expect(total).toBeLessThanOrEqual(Math.max(budget, entries[0]?.least ?? 0))
      // What is left over is of use to none: it is less than a share of one each, or all have the whole.
      const unfilled = shares.filter((share, at) => share < (entries[at]?.whole ?? 0)).length
      expect(unfilled === 0 || total >= budget || budget - total < shares.length).toBe(true)
    }),
  )
})
