import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distinctPieces, PieceLists } from '../../../src/backends/project-vectors/piece-lists.ts'

const LISTS = 6
const pieces = fc.uint16Array({ maxLength: 5 })

test('lists hold what was set last, whatever was set before', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(LISTS - 1), pieces)), (changes) => {
      const lists = new PieceLists(LISTS)
      const plain = Array.from({ length: LISTS }, (): number[] => [])
      for (const [list, pieces] of changes) {
        lists.set(list, pieces)
        plain[list] = [...pieces]
      }
      expect(plain.map((_, list) => [...lists.of(list)])).toEqual(plain)
      expect([...lists.all]).toEqual(plain.flat())
      for (const [list, { length }] of plain.entries()) {
        const target = new Uint16Array(length + 2).fill(7)
        lists.copy(list, target, 1)
        expect([...target]).toEqual([7, ...(plain[list] ?? []), 7])
        expect(lists.lengthOf(list)).toBe(length)
      }
      expect(lists.used).toBe(plain.filter((list) => list.length > 0).length)
      expect(lists.byteLength).toBe(2 * (plain.flat().length + LISTS))
    }),
  )
})

test('lists filled at once are those that were set one by one', () => {
  fc.assert(
    fc.property(fc.array(fc.option(pieces), { minLength: LISTS, maxLength: LISTS }), (wanted) => {
      const [one, other] = [new PieceLists(LISTS), new PieceLists(LISTS)]
      const lists = wanted.flatMap((pieces, list) => (pieces ? [{ pieces, list }] : []))
      for (const { pieces, list } of lists) one.set(list, pieces)
      other.setAll(
        Uint16Array.from(lists.flatMap(({ pieces }) => [...pieces])),
        lists.map(({ list }) => list),
        lists.map(({ pieces }) => pieces.length),
      )
      for (let list = 0; list < LISTS; list++) expect(other.of(list)).toEqual(one.of(list))
    }),
  )
})

test('distinct pieces come in the order of their ids', () => {
  expect([...distinctPieces(Uint16Array.of(9, 3, 9, 65_535, 0, 3))]).toEqual([0, 3, 9, 65_535])
  expect(distinctPieces(new Uint16Array(0))).toHaveLength(0)
})
