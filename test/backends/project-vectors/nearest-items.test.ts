import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NearestItems } from '../../../src/backends/project-vectors/nearest-items.ts'
import { emptyPage, PAGE_SLOTS, setSlot, type Page, type Slot } from '../../../src/backends/project-vectors/page.ts'
import type { PieceList } from '../../../src/backends/project-vectors/pieces/piece-lists.ts'
import { quantize } from '../../../src/backends/project-vectors/quantize.ts'

const QUERY = Float32Array.of(1, 0)

/** A page with a vector for each slot, at its angle to the query. */
function pageOf(...slots: (Partial<Slot> & { item: string; degrees: number; index?: number })[]): Page {
  const page = emptyPage('test/model', 2)
  slots.forEach(({ degrees, index: chosen, ...slot }, nth) => {
    const index = chosen ?? nth
    const angle = (degrees * Math.PI) / 180
    const { bytes, scale } = quantize(Float32Array.of(Math.cos(angle), Math.sin(angle)))
    page.vectors.set(bytes, index * 2)
    page.scales[index] = scale
    page.slots[index] = { row: null, version: 1, chunk: 0, start: 0, end: 9, namespace: 'default', reader: '', ...slot }
  })
  return page
}

const itemsOf = (nearest: NearestItems) => nearest.best().map(({ slot }) => slot.item)

test('best first, over pages, each item by its best chunk, with its cosine', () => {
  const nearest = new NearestItems(QUERY, { limit: 10, namespaces: null })
  const pages = [
    pageOf({ item: 'far', degrees: 90 }, { item: 'two', degrees: 60, chunk: 0 }),
    pageOf({ item: 'near', degrees: 0 }, { item: 'two', degrees: 30, chunk: 1, version: 3 }),
  ]
  for (const page of pages) nearest.scan(page)
  const best = nearest.best()
  expect(best.map(({ slot: { item, chunk, version } }) => [item, chunk, version])).toEqual([
    ['near', 0, 1],
    ['two', 1, 3],
    ['far', 0, 1],
  ])
  const cosines = [1, Math.cos(Math.PI / 6), 0]
  best.forEach(({ similarity }, at) => expect(similarity).toBeCloseTo(cosines[at] ?? NaN, 1))
  const slotOf = ({ lists, list }: PieceList) => pages.find(({ pieces }) => pieces === lists)?.slots[list]
  const chunks = nearest.chunksOf(best)
  expect(chunks.map((chunk) => [best[chunk.nth]?.slot.item, slotOf(chunk)?.chunk])).toEqual([
    ['far', 0],
    ['two', 0],
    ['near', 0],
    ['two', 1],
  ])
})

test('items of equal similarity go by id, so that pages of results never overlap', () => {
  const nearest = new NearestItems(QUERY, { limit: 10, namespaces: null })
  nearest.scan(pageOf({ item: 'b', degrees: 10 }, { item: 'a', degrees: 10 }, { item: 'c', degrees: 10 }))
  expect(itemsOf(nearest)).toEqual(['a', 'b', 'c'])
})

test('below the floor nothing is near, however few there are; a cosine that reaches it when rounded is', () => {
  const page = pageOf({ item: 'a', degrees: 0 }, { item: 'b', degrees: 60 }, { item: 'c', degrees: 90 })
  const look = (floor: number | null) => {
    const nearest = new NearestItems(QUERY, { limit: 10, namespaces: null, floor })
    nearest.scan(page)
    return nearest.best()
  }
  expect(look(null).map(({ slot }) => slot.item)).toEqual(['a', 'b', 'c'])
  const cosine = look(null)[1]?.similarity ?? NaN
  expect(look(cosine + 0.4e-4)).toHaveLength(2)
  expect(look(cosine + 0.6e-4)).toHaveLength(1)
  expect(look(1.1)).toEqual([])
})

test('only vectors of the wanted namespaces count, and empty slots never do', () => {
  const page = pageOf(
    { item: 'a', degrees: 0, namespace: 'left', index: 3 },
    { item: 'b', degrees: 0, namespace: 'right', index: 63 },
  )
  const look = (namespaces: string[] | null) => {
    const nearest = new NearestItems(QUERY, { limit: 10, namespaces })
    nearest.scan(page)
    return itemsOf(nearest)
  }
  expect(look(['right'])).toEqual(['b'])
  expect(look(['left', 'right'])).toEqual(['a', 'b'])
  expect(look([])).toEqual([])
  expect(look(null)).toEqual(['a', 'b'])
})

test('parts of others are left out, or compared without counting; without a caller all are compared and none counts', () => {
  const page = pageOf(
    { item: 'open', degrees: 60 },
    { item: 'own', degrees: 45, reader: 'usr_a' },
    { item: 'hidden', degrees: 0, reader: 'usr_b' },
    { item: 'old', degrees: 30, reader: null },
    { item: 'elsewhere', degrees: 0, namespace: 'other' },
  )
  page.pieces.set(0, Uint16Array.of(1, 2, 3, 4, 5), [1, 1, 1, 1, 1])
  const look = (of: { reader?: string; others?: boolean }) => {
    const nearest = new NearestItems(QUERY, { limit: 10, namespaces: ['default'], ...of })
    nearest.scan(page)
    const counted = [...nearest.counted()]
    return {
      items: itemsOf(nearest),
      pieces: counted.flatMap(({ pieces }) => [...pieces]).sort((a, b) => a - b),
      parts: counted.reduce((sum, { parts }) => sum + parts, 0),
    }
  }
  expect(look({ reader: 'usr_a' })).toEqual({ items: ['own', 'open'], pieces: [1, 2], parts: 2 })
  expect(look({ reader: 'usr_c' })).toEqual({ items: ['open'], pieces: [1], parts: 1 })
  expect(look({ reader: 'usr_a', others: true })).toEqual({
    items: ['hidden', 'old', 'own', 'open'],
    pieces: [1, 2],
    parts: 2,
  })
  expect(look({})).toEqual({ items: ['hidden', 'old', 'own', 'open'], pieces: [], parts: 0 })
})

test('the counts of a page are made once, and again after one of its slots has changed', () => {
  const page = pageOf(
    { item: 'a', degrees: 0 },
    { item: 'b', degrees: 60, reader: 'usr_a' },
    { item: 'c', degrees: 60 },
  )
  page.pieces.set(0, Uint16Array.of(1, 2, 3), [1, 2, 0])
  const counted = () => {
    const nearest = new NearestItems(QUERY, { limit: 1, namespaces: null, reader: 'usr_a' })
    nearest.scan(page)
    return [...nearest.counted()]
  }
  const before = counted()
  expect(before).toEqual([
    { parts: 1, pieces: Uint16Array.of(1), counts: Uint8Array.of(1) },
    { parts: 1, pieces: Uint16Array.of(2, 3), counts: Uint8Array.of(1, 1) },
  ])
  counted().forEach((one, nth) => expect(one).toBe(before[nth]))
  page.pieces.set(2, Uint16Array.of(1), [1])
  setSlot(page, 2, page.slots[2] ?? null)
  expect(counted()[0]).toEqual({ parts: 2, pieces: Uint16Array.of(1), counts: Uint8Array.of(2) })
})

test('single slots are scanned alone; vectors of another dimension are no match', () => {
  const page = pageOf({ item: 'a', degrees: 0 }, { item: 'b', degrees: 45 })
  const one = new NearestItems(QUERY, { limit: 10, namespaces: null })
  one.scan(page, [1, 2])
  expect(itemsOf(one)).toEqual(['b'])
  const other = new NearestItems(Float32Array.of(1, 0, 0), { limit: 10, namespaces: null })
  other.scan(page)
  expect(itemsOf(other)).toEqual([])
})

test('of any vectors, the best as many as wanted, as if all had been sorted', () => {
  const slot = fc.record({
    // Few angles give equal similarities; few items give several chunks to some.
    item: fc.integer({ min: 10, max: 40 }).map(String),
    chunk: fc.nat(99),
    degrees: fc.integer({ min: 0, max: 18 }).map((tens) => 10 * tens),
  })
  const pages = fc.array(fc.array(slot, { maxLength: PAGE_SLOTS }), { maxLength: 4 })
  fc.assert(
    fc.property(pages, fc.integer({ min: 1, max: 12 }), (slots, limit) => {
      const nearest = new NearestItems(QUERY, { limit, namespaces: null })
      const everything = new NearestItems(QUERY, { limit: Infinity, namespaces: null })
      for (const page of slots.map((slots) => pageOf(...slots))) {
        nearest.scan(page)
        everything.scan(page)
      }
      expect(itemsOf(nearest)).toEqual(itemsOf(everything).slice(0, limit))
      expect(nearest.best().map(({ similarity }) => similarity)).toEqual(
        everything
          .best()
          .slice(0, limit)
          .map(({ similarity }) => similarity),
      )
      const best = new Map<string, number>()
      for (const { item, degrees } of slots.flat()) best.set(item, Math.min(degrees, best.get(item) ?? 360))
      const sorted = [...best].sort(([a, first], [b, second]) => first - second || (a < b ? -1 : 1))
      expect(itemsOf(nearest)).toEqual(sorted.slice(0, limit).map(([item]) => item))
    }),
  )
})
