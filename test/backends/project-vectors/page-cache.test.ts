import { beforeEach, expect, test } from 'vitest'
import { cacheBudget, PageCache } from '../../../src/backends/project-vectors/page-cache.ts'
import { emptyPage, type Page } from '../../../src/backends/project-vectors/page.ts'

const MIB = 1024 * 1024

/** A page of about this size. */
const pageOf = (mib: number): Page => emptyPage('test/model', (mib * MIB) / 64)

// All tests share the budget of the isolate: pages of other tests go first.
beforeEach(() => {
  const filler = new PageCache()
  filler.set(0, pageOf(80))
  filler.clear()
})

test('a page stays in the cache until it is deleted or the cache is cleared', () => {
  const cache = new PageCache()
  const [one, two] = [pageOf(1), pageOf(1)]
  cache.set(1, one)
  cache.set(2, two)
  expect([cache.get(1), cache.get(2), cache.get(3)]).toEqual([one, two, undefined])
  cache.delete(1)
  expect([cache.get(1), cache.get(2)]).toEqual([undefined, two])
  cache.clear()
  expect(cache.get(2)).toBeUndefined()
})

test('past 88 MiB the least recently used page of all objects goes', () => {
  const [mine, theirs] = [new PageCache(), new PageCache()]
  mine.set(1, pageOf(25))
  theirs.set(1, pageOf(25))
  mine.set(2, pageOf(25))
  expect(mine.get(1)).toBeDefined()
  theirs.set(2, pageOf(25))
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
  const cache = new PageCache()
  for (let at = 0; at < 20; at++) cache.set(1, pageOf(25))
  cache.set(2, pageOf(25))
  cache.set(3, pageOf(25))
  expect([1, 2, 3].map((number) => cache.get(number) !== undefined)).toEqual([true, true, true])
  cache.clear()
})

test('a page larger than the budget is kept until another page is set', () => {
  const cache = new PageCache()
  const large = pageOf(100)
  cache.set(1, large)
  expect(cache.get(1)).toBe(large)
  cache.set(2, pageOf(1))
  expect(cache.get(1)).toBeUndefined()
  cache.clear()
})

test('VECTOR_CACHE_MB sets the budget', () => {
  const cache = new PageCache(cacheBudget({ VECTOR_CACHE_MB: '120' }))
  for (const number of [1, 2, 3, 4, 5]) cache.set(number, pageOf(25))
  expect([1, 2, 3, 4, 5].map((number) => cache.get(number) !== undefined)).toEqual([false, true, true, true, true])
  cache.clear()
  for (const none of [{}, { VECTOR_CACHE_MB: '' }, { VECTOR_CACHE_MB: 'many' }])
    expect(cacheBudget(none)).toBe(88 * MIB)
})
