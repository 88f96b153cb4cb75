import { expect, test } from 'vitest'
import { Filters } from '../../../src/memory/filter/filter.ts'
import { list, ListInput } from '../../../src/memory/operations/list.ts'
import { readScope } from '../../../src/memory/filter/read-scope.ts'
import { withCheapFilter, withLargeMetadata } from '../../../src/memory/search/cheap-filter.ts'
import { ctxOf, find, idsOf, stored } from '../../support/search.ts'
import { db, newTenant } from '../../support/world.ts'

const byText = (a = '', b = ''): number => (a < b ? -1 : 1)
const costly = { OR: [{ tags: ['a', 'b'] }, { tags: ['c', 'd'], tags_match: 'all' }, { 'metadata.n': 1 }] }
const user = await newTenant()
const ctx = ctxOf(user)
const ids: Record<string, string> = {}
for (const [name, tags, n] of [
  ['any', ['b'], 0],
  ['all', ['c', 'd'], 0],
  ['half', ['c'], 0],
  ['metadata', [], 1],
] as const) {
  ids[name] = (await stored(ctx, `tea ${name}`, { content: { text: `tea ${name}`, metadata: { n } }, tags })).id
}

test('a search with a costly filter finds what passes it, in one statement more', async () => {
  const search = async (filters: unknown) => {
    const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    const reply = await find({ ...ctx, db: db.metered(meter) }, 'tea', { mode: 'keyword', filters })
    return { found: idsOf(reply).toSorted(byText), roundTrips: meter.roundTrips }
  }
  const expected = [ids['any'], ids['all'], ids['metadata']].toSorted(byText)
  expect(await search(costly)).toEqual({ found: expected, roundTrips: 2 })
  expect(await search({ tags: ['b'] })).toEqual({ found: [ids['any']], roundTrips: 1 })
})

test('a list with q and a costly filter looks the filter up before, and not once a slice', async () => {
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const input = ListInput.parse({ q: 'tea', filters: JSON.stringify(costly), limit: '2' })
  const page = await list({ ...ctx, db: db.metered(meter) }, input)
  expect([page.data.length, page.has_more, meter.roundTrips]).toEqual([2, true, 2])
})

test('a filter that more items pass than the exact tier holds stays as it is, and says so', async () => {
  const scope = readScope(ctx.principal, user.projectId, {}, Filters.parse(costly))
  const small = { ...ctx, config: { ...ctx.config, exactTierMax: 2 } }
  expect(await withCheapFilter(small, scope)).toEqual({ ...scope, partial: true })
  const cheap = await withCheapFilter(ctx, scope)
  expect(JSON.parse(cheap?.params['rows'] as string)).toHaveLength(3)
})

test('a costly filter on a project that the caller may not see is 404', async () => {
  const stranger = ctxOf(await newTenant())
  const context = { project_id: user.projectId }
  await expect(find(stranger, 'tea', { filters: costly, context })).rejects.toMatchObject({ status: 404 })
})

test('for ten minutes after a statement had to leave items out, filters on metadata of the project are looked up', async () => {
  const owner = await newTenant()
  let now = 1_000_000
  const own = { ...ctxOf(owner), now: () => now }
  const scopeOf = (filters: unknown, project = owner.projectId) =>
    readScope(own.principal, project, {}, Filters.parse(filters))
  const [metadata, tags] = [scopeOf({ 'metadata.n': 1 }), scopeOf({ tags: ['a'] })]
  expect(await withCheapFilter(own, metadata)).toBe(metadata)
  expect(await withLargeMetadata(own, metadata)).toMatchObject({ metadataConditions: 0, params: { rows: '[]' } })
  expect(await withCheapFilter(own, metadata)).toMatchObject({ metadataConditions: 0 })
  expect(await withCheapFilter(own, tags)).toBe(tags)
  const other = scopeOf({ 'metadata.n': 1 }, user.projectId)
  expect(await withCheapFilter(own, other)).toBe(other)
  now += 10 * 60_000
  expect(await withCheapFilter(own, metadata)).toBe(metadata)
})
