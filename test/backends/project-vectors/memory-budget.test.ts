/** @module-tag long */
import { beforeEach, expect, test } from 'vitest'
import { memoryBudget, MemoryBudget } from '../../../src/backends/project-vectors/memory-budget.ts'
import { PageCache } from '../../../src/backends/project-vectors/page-cache.ts'
import { emptyPage, type Page } from '../../../src/backends/project-vectors/page.ts'

const MIB = 1024 * 1024

/** A page of about this size. */
const pageOf = (mib: number): Page => emptyPage('test/model', (mib * MIB) / 64)
const newCache = () => new PageCache(new MemoryBudget(72 * MIB))

// All tests share the budget of the isolate: pages of other tests go first.
beforeEach(() => {
  const filler = newCache()
  filler.set(0, pageOf(66))
  filler.clear()
})

test('a page stays in the cache until it is deleted or the cache is cleared', () => {
  const cache = newCache()
  const [one, two] = [pageOf(1), pageOf(1)]
  cache.set(1, one)
  cache.set(2, two)
  expect([cache.get(1), cache.get(2), cache.get(3)]).toEqual([one, two, undefined])
  cache.delete(1)
  expect([cache.get(1), cache.get(2)]).toEqual([undefined, two])
  cache.clear()
  expect(cache.get(2)).toBeUndefined()
})

test('past 72 MiB the least recently used page of all objects goes', () => {
  const [mine, theirs] = [newCache(), newCache()]
  mine.set(1, pageOf(22))
  theirs.set(1, pageOf(22))
  mine.set(2, pageOf(22))
  expect(mine.get(1)).toBeDefined()
  theirs.set(2, pageOf(22))
  expect([mine.get(1), mine.get(2), theirs.get(1), theirs.get(2)].map((page) => page !== undefined)).toEqual([
    true,
    true,
    false,
    true,
  ])
  mine.clear()
  theirs.clear()
})

test('a page set again under its number replaces the old one, which counts no more', () => {
  const cache = newCache()
  for (let at = 0; at < 20; at++) cache.set(1, pageOf(22))
  cache.set(2, pageOf(22))
  cache.set(3, pageOf(22))
  expect([1, 2, 3].map((number) => cache.get(number) !== undefined)).toEqual([true, true, true])
  cache.clear()
})

test('a page that has changed is charged its new size, pieces too', () => {
  const cache = newCache()
  const small = pageOf(1)
  cache.set(1, small)
  cache.set(2, pageOf(70))
  expect(cache.get(1)).toBe(small)
  small.pieces.set(
    0,
    new Uint16Array(MIB),
    Array.from({ length: 64 }, () => 1),
  )
  cache.set(1, small)
  expect([cache.get(1), cache.get(2)]).toEqual([small, undefined])
  cache.clear()
})

test('a page larger than the budget is kept until another page is set', () => {
  const cache = newCache()
  const large = pageOf(90)
  cache.set(1, large)
  expect(cache.get(1)).toBe(large)
  cache.set(2, pageOf(1))
  expect(cache.get(1)).toBeUndefined()
  cache.clear()
})

test('what else is held is released in its turn, once, and no more once it is dropped', () => {
  const budget = new MemoryBudget(100)
  const released: string[] = []
  const [old, used, dropped, last] = [{}, {}, {}, {}]
  budget.hold(old, 40, () => released.push('old'))
  budget.hold(used, 40, () => released.push('used'))
  budget.touch(old)
  budget.touch({})
  budget.hold(dropped, 20, () => released.push('dropped'))
  budget.drop(dropped)
  budget.hold(last, 30, () => released.push('last'))
  expect(released).toEqual(['used'])
  budget.hold({}, 200, () => {})
  expect(released).toEqual(['used', 'old', 'last'])
})

test('VECTOR_CACHE_MB sets the budget, of which copies take a sixth', () => {
  const cache = new PageCache(new MemoryBudget(memoryBudget(144).objects))
  for (const number of [1, 2, 3, 4, 5]) cache.set(number, pageOf(25))
  expect([1, 2, 3, 4, 5].map((number) => cache.get(number) !== undefined)).toEqual([false, true, true, true, true])
  cache.clear()
  expect(memoryBudget(null)).toEqual({ objects: 55 * MIB, copies: 11 * MIB })
})
