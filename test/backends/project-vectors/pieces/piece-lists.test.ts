import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distinctPieces, PieceLists } from '../../../../src/backends/project-vectors/pieces/piece-lists.ts'

const LISTS = 6
const pieces = fc.uint16Array({ maxLength: 5 })
/** Neighbouring lists from a random one on. */
const change = fc
  .nat(LISTS - 1)
  .chain((first) => fc.tuple(fc.constant(first), fc.array(pieces, { minLength: 1, maxLength: LISTS - first })))

const joined = (lists: readonly Uint16Array[]): Uint16Array => Uint16Array.from(lists.flatMap((list) => [...list]))
const lengthsOf = (lists: readonly Uint16Array[]): number[] => lists.map(({ length }) => length)

test('lists hold what was set last, whatever was set before', () => {
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const lists = new PieceLists(LISTS)
      const plain = Array.from({ length: LISTS }, (): number[] => [])
      for (const [first, some] of changes) {
        lists.set(first, joined(some), lengthsOf(some))
        some.forEach((list, nth) => (plain[first + nth] = [...list]))
      }
      expect(plain.map((_, list) => [...lists.of(list)])).toEqual(plain)
      expect([...lists.all]).toEqual(plain.flat())
      expect([...lists.of(1, 3)]).toEqual(plain.slice(1, 4).flat())
      for (const [list, { length }] of plain.entries()) {
        const target = new Uint16Array(length + 2).fill(7)
        lists.copy(list, target, 1)
        expect([...target]).toEqual([7, ...(plain[list] ?? []), 7])
        expect(lists.lengthOf(list)).toBe(length)
      }
      expect(lists.byteLength).toBe(2 * (plain.flat().length + LISTS))
    }),
  )
})

test('lists filled at once are those that were set one by one', () => {
  fc.assert(
    fc.property(fc.array(fc.option(pieces), { minLength: LISTS, maxLength: LISTS }), (wanted) => {
      const [one, other] = [new PieceLists(LISTS), new PieceLists(LISTS)]
      const lists = wanted.flatMap((pieces, list) => (pieces ? [{ pieces, list }] : []))
      for (const { pieces, list } of lists) one.set(list, pieces, [pieces.length])
      const all = lists.map(({ pieces }) => pieces)
      other.setAll(
        joined(all),
        lists.map(({ list }) => list),
        lengthsOf(all),
      )
      for (let list = 0; list < LISTS; list++) expect(other.of(list)).toEqual(one.of(list))
    }),
  )
})

test('each text has its distinct pieces, whatever texts came before it', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.uint16Array({ max: 9 }))), (texts) => {
      const plain = texts.map((text) => [...new Set(text ?? [])])
      const { pieces, lengths } = distinctPieces(texts)
      expect([...pieces]).toEqual(plain.flat())
      expect(lengths).toEqual(plain.map(({ length }) => length))
      expect(pieces.buffer.byteLength).toBe(pieces.byteLength)
    }),
  )
  expect([...distinctPieces([Uint16Array.of(9, 3, 9, 65_535, 0, 3)]).pieces]).toEqual([9, 3, 65_535, 0])
})
