/**
 * @module-tag long
 * @module-tag shards
 */
import { afterAll, expect, test } from 'vitest'
import { counted, settled, type Asked } from '../support/counted.ts'
import { newWriter } from '../support/memory.ts'

afterAll(settled)

/** `{id}` in a path is an item of the user's own, embedded and tagged `a`. */
type Row = [name: string, method: string, path: string, body: unknown, more: Partial<Asked>]

/** Architecture §4: each request passes the user's hub once, and asks D1 as often as it says here. */
test.each<Row>([
  ['retrieve', 'GET', '/api/memory/retrieve?id={id}', undefined, { d1: 1 }],
  ['retrieve by path', 'GET', '/v1/memory/items/{id}', undefined, { d1: 1 }],
  ['a retrieve that finds nothing', 'GET', '/v1/memory/items/mem_none', undefined, { d1: 1 }],
  ['list', 'GET', '/v1/memory/items?tags=a', undefined, { d1: 1 }],
  ['list with words', 'GET', '/v1/memory/items?q=kettle', undefined, { d1: 1 }],
  ['versions', 'GET', '/v1/memory/items/{id}/versions', undefined, { d1: 1 }],
  ['export of one page', 'GET', '/v1/memory/export', undefined, { d1: 1 }],
  ['hybrid search', 'POST', '/api/memory/search', { query: 'blue kettle' }, { d1: 1, vectors: 1 }],
  ['recall', 'POST', '/v1/memory/recall', { query: 'blue kettle' }, { d1: 1, vectors: 1 }],
  ['recall without a query', 'POST', '/v1/memory/recall', {}, { d1: 2 }],
  ['semantic search', 'POST', '/api/memory/search', { query: 'kettle', mode: 'semantic' }, { d1: 1, vectors: 1 }],
  ['keyword search', 'POST', '/api/memory/search', { query: 'kettle', mode: 'keyword' }, { d1: 1 }],
  ['store', 'POST', '/api/memory/store', { content: 'plain', tags: ['a'] }, { d1: 1 }],
  ['store under a custom_id', 'POST', '/api/memory/store', { content: 'named', custom_id: 'c' }, { d1: 2 }],
  ['update', 'PATCH', '/v1/memory/items/{id}', { tags: ['b'] }, { d1: 2 }],
  ['embed again', 'POST', '/v1/memory/items/{id}/embed', undefined, { d1: 3 }],
  ['delete', 'DELETE', '/v1/memory/items/{id}', undefined, { d1: 2 }],
  [
    'a batch of 50 stores',
    'POST',
    '/api/memory/batch',
    { operations: Array.from({ length: 50 }, (_, n) => ({ op: 'store', content: `text ${n}` })) },
    { d1: 1 },
  ],
  ['bulk delete', 'POST', '/v1/memory/delete', { filters: { tags: ['a'] } }, { d1: 3 }],
])('%s', async (_, method, path, body, more) => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'The kettle is blue.', tags: ['a'], wait_ms: 5_000 })
  const call = { headers: user.headers, ...(body === undefined ? {} : { body }) }
  const { status, asked } = await counted(method, path.replace('{id}', item.id), call)
  expect([200, 201, 202, 204, 404]).toContain(status)
  expect(asked).toEqual({ hub: 1, limiter: 0, vectors: 0, d1: 0, ...more })
})

test('a hybrid search of a project at rest asks D1 alone, once the isolate has a copy of its vectors', async () => {
  const user = await newWriter()
  await user.store({ content: 'The kettle is blue.', wait_ms: 5_000 })
  const search = async () =>
    (await counted('POST', '/api/memory/search', { headers: user.headers, body: { query: 'blue kettle' } })).asked
  const all = [await search(), await search(), await search(), await search()]
  expect(all.map(({ vectors }) => vectors)).toEqual([1, 1, 1, 0])
  expect(all.map(({ d1 }) => d1)).toEqual([1, 1, 1, 1])
})

test('a refused request asks nobody but the hub, a made-up credential nobody at all', async () => {
  const user = await newWriter()
  const refused = await counted('POST', '/api/memory/store', { headers: user.headers, body: { content: '' } })
  expect(refused).toMatchObject({ status: 422, asked: { hub: 1, limiter: 0, vectors: 0, d1: 0 } })
  const madeUp = await counted('GET', '/v1/memory/items', { headers: { 'X-API-Key': `rck_live_${'0'.repeat(60)}` } })
  expect(madeUp).toMatchObject({ status: 401, asked: { hub: 0, limiter: 0, vectors: 0, d1: 0 } })
})
