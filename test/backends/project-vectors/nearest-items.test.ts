import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NearestItems } from '../../../src/backends/project-vectors/nearest-items.ts'
import { chargeOf, USUAL_WORDS } from '../../../src/core/values/long-turns.ts'
import { emptyPage, PAGE_SLOTS, setSlot, type Page, type Slot } from '../../../src/backends/project-vectors/page.ts'
import type { PieceList } from '../../../src/backends/project-vectors/pieces/piece-lists.ts'
import { quantize, type Int8Vector } from '../../../src/backends/project-vectors/quantize.ts'

const QUERY = Float32Array.of(1, 0)
/** A query with pieces is of an absolute scale. */
const PIECES = Uint16Array.of(1)

function vectorAt(degrees: number): Int8Vector {
  const angle = (degrees * Math.PI) / 180
  return quantize(Float32Array.of(Math.cos(angle), Math.sin(angle)))
}

/** As far as the bytes of the vector tell it. */
function cosineAt(degrees: number): number {
  const { bytes, scale } = vectorAt(degrees)
  return (bytes[0] ?? NaN) * scale
}

/** A page with a vector for each slot, at its angle to the query. */
function pageOf(...slots: (Partial<Slot> & { item: string; degrees: number; index?: number })[]): Page {
  const page = emptyPage('test/model', 2)
  slots.forEach(({ degrees, index: chosen, ...slot }, nth) => {
    const index = chosen ?? nth
    const { bytes, scale } = vectorAt(degrees)
    page.vectors.set(bytes, index * 2)
    page.scales[index] = scale
    const own = { row: null, version: 1, chunk: 0, start: 0, end: 9, namespace: 'default', reader: '', turnWords: 0 }
    setSlot(page, index, { ...own, ...slot })
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

test('a long turn is near by its cosine less a charge, and keeps its cosine; of an unknown scale it is not charged', () => {
  const page = pageOf(
    { item: 'long', degrees: 40, turnWords: 8 * USUAL_WORDS },
    { item: 'usual', degrees: 45, turnWords: USUAL_WORDS },
    { item: 'document', degrees: 50 },
    { item: 'older', degrees: 55, turnWords: null },
  )
  const look = (pieces: Uint16Array | null, limit: number) => {
    const nearest = new NearestItems(QUERY, { limit, namespaces: null, pieces })
    nearest.scan(page)
    return nearest.best()
  }
  const names = (near: ReturnType<typeof look>) => near.map(({ slot }) => slot.item)
  expect(names(look(null, 10))).toEqual(['long', 'usual', 'document', 'older'])
  const charged = look(PIECES, 10)
  expect(names(charged)).toEqual(['usual', 'document', 'older', 'long'])
  const ofLong = charged[3]
  expect(ofLong?.similarity).toBe(look(null, 1)[0]?.similarity)
  expect(ofLong?.charged).toBeCloseTo((ofLong?.similarity ?? NaN) - chargeOf(8 * USUAL_WORDS), 6)
  expect(names(look(PIECES, 3))).toEqual(['usual', 'document', 'older'])
})

test('a slot that a shorter turn takes is charged no longer', () => {
  const page = pageOf({ item: 'long', degrees: 0, turnWords: 9_999 }, { item: 'near', degrees: 10 })
  const look = () => {
    const nearest = new NearestItems(QUERY, { limit: 2, namespaces: null, pieces: PIECES })
    nearest.scan(page)
    return itemsOf(nearest)
  }
  expect(look()).toEqual(['near', 'long'])
  const [slot] = page.slots
  setSlot(page, 0, slot ? { ...slot, item: 'short', turnWords: 9 } : null)
  expect(look()).toEqual(['short', 'near'])
})

test('the floor compares the cosine: a charge loses no item while there is room, and lifts none above it', () => {
  const nearest = new NearestItems(QUERY, { limit: 100, namespaces: null, pieces: PIECES, floor: 0.5 })
  const usual = Array.from({ length: 60 }, (_, nth) => ({ item: `far-${nth}`, degrees: 70 }))
  nearest.scan(pageOf({ item: 'long', degrees: 58, turnWords: 10_000 }, { item: 'below', degrees: 62, turnWords: 200 }))
  nearest.scan(pageOf({ item: 'usual', degrees: 30 }, ...usual))
  nearest.scan(pageOf(...usual))
  expect(itemsOf(nearest)).toEqual(['usual', 'long'])
})

test('of any vectors, the best as many as wanted, as if all had been sorted', () => {
  const slot = fc.record({
    // Few angles give equal similarities; few items give several chunks to some.
    item: fc.integer({ min: 10, max: 40 }).map(String),
    chunk: fc.nat(99),
    degrees: fc.integer({ min: 0, max: 18 }).map((tens) => 10 * tens),
  })
  const pages = fc.array(fc.array(slot, { maxLength: PAGE_SLOTS }), { maxLength: 4 })
  const floors = fc.option(fc.constantFrom(-0.4, 0.2, 0.9))
  // The words of an item are the same in all of its chunks.
  const wordsOf = (item: string): number => [0, 100, 400, 9_000][Number(item) % 4] ?? NaN
  fc.assert(
    fc.property(pages, fc.integer({ min: 1, max: 12 }), floors, fc.boolean(), (slots, limit, floor, isCharged) => {
      const ask = { namespaces: null, floor, pieces: isCharged ? PIECES : null }
      const nearest = new NearestItems(QUERY, { ...ask, limit })
      const everything = new NearestItems(QUERY, { ...ask, limit: Infinity })
      const turnsOf = (some: (typeof slots)[number]) => some.map((one) => ({ ...one, turnWords: wordsOf(one.item) }))
      for (const page of slots.map((some) => pageOf(...turnsOf(some)))) {
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
      const chargedOf = ([item, degrees]: [string, number]): number =>
        cosineAt(degrees) - (isCharged ? chargeOf(wordsOf(item)) : 0)
      const sorted = [...best]
        .filter(([, degrees]) => cosineAt(degrees) >= (floor ?? -2))
        .sort((a, b) => chargedOf(b) - chargedOf(a) || (a[0] < b[0] ? -1 : 1))
      expect(itemsOf(nearest)).toEqual(sorted.slice(0, limit).map(([item]) => item))
    }),
  )
})
