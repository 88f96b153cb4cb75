import { expect, test } from 'vitest'
import { Filters } from '../../../src/memory/filter/filter.ts'
import { furtherPermits, LARGE_FILTER_PERMITS } from '../../../src/memory/filter/filter-permits.ts'
import { LIMITS } from '../../../src/core/limits.ts'
import { newWriter } from '../../support/memory.ts'
import { call, newTenant } from '../../support/world.ts'

const conditions = (count: number) => ({ OR: Array.from({ length: count }, (_, at) => ({ custom_id: `c${at}` })) })
const onMetadata = (count: number) => ({
  AND: Array.from({ length: count }, (_, at) => ({ NOT: { [`metadata.n${at}`]: { '>': at } } })),
})
const tags = (count: number) => ({ tags: Array.from({ length: count }, (_, at) => `t${at}`) })

test.each<[string, unknown, number]>([
  ['8 conditions', conditions(8), 0],
  ['9 conditions', conditions(9), 4],
  ['4 conditions on metadata', onMetadata(4), 0],
  ['5 conditions on metadata', onMetadata(5), 4],
  ['64 values', { ...tags(60), custom_id: { in: ['a', 'b', 'c', 'd'] } }, 0],
  ['65 values', { NOT: { ...tags(64), created_at: { '>': '2026-01-01T00:00:00Z' } } }, 4],
])('a filter of %s', (_, filter, further) => {
  expect(furtherPermits(Filters.parse(filter))).toBe(further)
  expect(furtherPermits(undefined)).toBe(0)
})

test('no limit of a request with a filter is smaller than what a large filter acquires', () => {
  for (const name of ['memory.search', 'read', 'write'] as const)
    expect(LIMITS[name].limit).toBeGreaterThanOrEqual(LARGE_FILTER_PERMITS)
})

test('security 54: a request with a large filter acquires five permits of its limit, and the headers tell it', async () => {
  const user = await newWriter()
  const large = encodeURIComponent(JSON.stringify(conditions(9)))
  const left = async (method: string, path: string, body?: unknown) => {
    const { status, headers } = await user.send(method, path, body)
    return [status, headers.get('ratelimit')?.split(';').slice(0, 2).join(';')]
  }
  expect(await left('GET', `/v1/memory/items?filters=${large}`)).toEqual([200, '"read";r=15'])
  expect(await left('GET', `/v1/memory/export?filters=${large}`)).toEqual([200, '"read";r=10'])
  const body = { filters: conditions(9), dry_run: true }
  expect(await left('POST', '/v1/memory/delete', body)).toEqual([200, '"write";r=5'])
  const search = { query: 'tea', mode: 'keyword', filters: conditions(9) }
  expect(await left('POST', '/api/memory/search', search)).toEqual([200, '"memory.search";r=0'])
})

test('a large filter is 429 while fewer permits are left', async () => {
  const user = await newWriter()
  const search = (filters: unknown) =>
    user.send('POST', '/api/memory/search', { query: 'tea', mode: 'keyword', filters })
  expect((await search({})).status).toBe(200)
  const refused = await search(conditions(9))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
})

test('the limit of a key counts a large filter as one request', async () => {
  const user = await newTenant()
  const filters = encodeURIComponent(JSON.stringify(conditions(9)))
  const { headers } = await call('GET', `/v1/memory/items?filters=${filters}`, { headers: { 'X-API-Key': user.key } })
  expect(headers.get('ratelimit')).toMatch(/^"api-key";r=4;t=1, "read";r=15;t=1$/)
})
