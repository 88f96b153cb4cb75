/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import type { AuthContext } from '../../src/core/context.ts'
import type { Meter } from '../../src/core/database/meter.ts'
import { batch } from '../../src/memory/operations/batch.ts'
import { list, ListInput } from '../../src/memory/operations/list.ts'
import { newWriter } from '../support/memory.ts'
import { ctxOf, embedded, find, stored } from '../support/search.ts'
import { addMember, db, newTenant, system } from '../support/world.ts'

const page = (ctx: AuthContext, query: Record<string, unknown>) => list(ctx, ListInput.parse(query))

const names = (items: readonly { custom_id: string | null }[]): string => items.map((item) => item.custom_id).join('')

/** One item in each namespace, named as it, oldest first. */
async function oneEach(ctx: AuthContext, namespaces: string): Promise<void> {
  for (const namespace of namespaces)
    await embedded(ctx, ['a blue kettle'], { custom_id: namespace, context: { namespace } })
}

/** The names that a list, a list by words and a search in each mode find. */
async function seen(ctx: AuthContext, namespaces: readonly string[]): Promise<string[]> {
  const lists = [await page(ctx, { namespaces }), await page(ctx, { namespaces, q: 'kettle' })]
  const modes = ['hybrid', 'semantic', 'keyword']
  const found = await Promise.all(modes.map((mode) => find(ctx, 'blue kettle', { mode, context: { namespaces } })))
  return [
    ...lists.map(({ data }) => names(data)),
    ...found.map(({ results }) => names(results.toSorted((a, b) => (a.id < b.id ? 1 : -1)))),
  ]
}

const everywhere = (all: string): string[] => Array.from({ length: 5 }, () => all)

test('contract §3: namespaces reads several, each once, and no other', async () => {
  const ctx = ctxOf(await newTenant())
  await oneEach(ctx, 'abcd')
  expect(await seen(ctx, ['c', 'a'])).toEqual(everywhere('ca'))
  expect(await seen(ctx, ['b', 'b'])).toEqual(everywhere('b'))
  expect(await seen(ctx, ['a', 'nowhere', 'd'])).toEqual(everywhere('da'))
  expect(await seen(ctx, ['nowhere', 'default'])).toEqual(everywhere(''))
})

test('security 27: of several namespaces those that the key may not read are left out', async () => {
  const user = await newTenant()
  await oneEach(ctxOf(user), 'abcd')
  const permissions = [{ project_id: user.projectId, access: 'read' as const, namespaces: ['a', 'b'] }]
  const limited = ctxOf(user, { permissions })
  expect(await seen(limited, ['a', 'b', 'c', 'd'])).toEqual(everywhere('ba'))
  expect(await seen(limited, ['b', 'c'])).toEqual(everywhere('b'))
  expect(await seen(limited, ['c', 'd'])).toEqual(everywhere(''))
})

test('security 26: namespaces of another tenant’s project are a 404, and of one’s own hold no foreign item', async () => {
  const [user, stranger] = [await newTenant(), await newTenant()]
  await oneEach(ctxOf(user), 'ab')
  const ctx = ctxOf(stranger)
  expect(await seen(ctx, ['a', 'b'])).toEqual(everywhere(''))
  const there = { project_id: user.projectId, namespaces: ['a', 'b'] }
  await expect(page(ctx, there)).rejects.toMatchObject({ status: 404 })
  await expect(find(ctx, 'kettle', { context: there })).rejects.toMatchObject({ status: 404 })
})

const NAMES = Array.from({ length: 17 }, (_, at) => `n${at}`)

const asQuery = (namespaces: readonly string[]): string => namespaces.map((name) => `namespaces=${name}`).join('&')

test.each([
  ['17 namespaces', { namespaces: NAMES }],
  ['none', { namespaces: [] }],
  ['"*" among them', { namespaces: ['a', '*'] }],
  ['one that is no name', { namespaces: ['a', 'b c'] }],
  ['namespace beside them', { namespaces: ['a'], namespace: 'b' }],
  ['"*" beside them', { namespaces: ['a'], namespace: '*' }],
])('422: a search with %s', async (_, context) => {
  const { status, body } = await (await newWriter()).send('POST', '/api/memory/search', { query: 'x', context })
  expect([status, body.errors?.[0].path]).toEqual([422, expect.stringMatching(/^context\.namespaces/)])
})

test.each([
  ['17 namespaces', asQuery(NAMES)],
  ['"*" among them', asQuery(['a', '*'])],
  ['one without a name', 'namespaces='],
  ['namespace beside them', `namespace=b&${asQuery(['a'])}`],
])('422: a list and an export with %s', async (_, query) => {
  const user = await newWriter()
  for (const path of ['items', 'export'])
    expect((await user.send('GET', `/v1/memory/${path}?${query}`)).status).toBe(422)
})

test('16 namespaces are a legal search and a legal list', async () => {
  const user = await newWriter()
  const namespaces = NAMES.slice(1)
  expect((await user.send('POST', '/api/memory/search', { query: 'x', context: { namespaces } })).status).toBe(200)
  expect((await user.send('GET', `/v1/memory/items?${asQuery(namespaces)}`)).status).toBe(200)
})

test('one namespace is the same in the plural; a write takes none', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'a kettle', context: { namespace: 'a' } })
  const { body } = await user.send('GET', '/v1/memory/items?namespaces=a')
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([item.id])
  expect((await user.store({ content: 'a kettle', context: { namespaces: ['a'] } })).status).toBe(422)
})

test('export and bulk delete take them too', async () => {
  const user = await newWriter()
  for (const namespace of ['a', 'b', 'c']) await user.store({ content: 'a kettle', context: { namespace } })
  const exported = await user.send('GET', '/v1/memory/export?namespaces=a&namespaces=c')
  expect(exported.text.match(/"namespace":"."/g)).toEqual(['"namespace":"a"', '"namespace":"c"'])
  const context = { namespaces: ['b', 'c'] }
  expect((await user.send('POST', '/v1/memory/delete', { context, filters: {} })).body).toMatchObject({ deleted: 2 })
  const left = await user.send('GET', '/v1/memory/items?namespace=*')
  expect(left.body.data.map((item: { context: { namespace: string } }) => item.context.namespace)).toEqual(['a'])
})

test('the pages of several namespaces are those of one list, forwards and backwards, with filters or without', async () => {
  const ctx = ctxOf(await newTenant())
  // Runs of one namespace, so that pages begin and end within them. A batch makes items of one instant.
  const operations = Array.from({ length: 45 }, (_, at) => {
    const namespace = ['a', 'b', 'c', 'other'][Math.floor(at / 4) % 4] ?? ''
    return { op: 'store', content: `text ${at}`, context: { namespace }, tags: [at % 3 ? 'x' : 'y'] }
  })
  const { results } = await batch(ctx, { operations })
  const order = results.filter(({ index }) => Math.floor(index / 4) % 4 < 3).map(({ id }) => id ?? '')
  const all = async (query: Record<string, unknown>): Promise<string[]> => {
    const ids: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const found = await page(ctx, { ...query, namespaces: ['c', 'a', 'b'], limit: 4, ...(cursor ? { cursor } : {}) })
      ids.push(...found.data.map(({ id }) => id))
      cursor = found.next_cursor
    }
    return ids
  }
  expect(await all({})).toEqual(order.toReversed())
  expect(await all({ sort: 'created_at' })).toEqual(order)
  expect(await all({ sort: 'created_at', q: 'text' })).toEqual(order)
  const tagged = (await all({ tags: 'y' })).toReversed()
  expect(tagged.length).toBeGreaterThan(5)
  expect(tagged).toEqual(await all({ tags: 'y', sort: 'created_at' }))
  expect(order.filter((id) => tagged.includes(id))).toEqual(tagged)
})

test('a page finds what is behind many items of others, which the caller may not read', async () => {
  const owner = await newTenant()
  const member = await addMember(owner, 'editor')
  const first = await stored(ctxOf(owner), 'open', { context: { namespace: 'a' } })
  const operations = Array.from({ length: 30 }, (_, at) => {
    return { op: 'store', content: 'hidden', visibility: 'private', context: { namespace: at % 2 ? 'a' : 'b' } }
  })
  await batch(ctxOf(member), { operations })
  const reader = ctxOf(await addMember(owner, 'viewer'))
  const found = await page(reader, { project_id: owner.projectId, namespaces: ['a', 'b'], limit: 2 })
  expect(found.data.map(({ id }) => id)).toEqual([first.id])
})

test('security 54: a page reads an equal share of each namespace, however large the project is', async () => {
  const ctx = ctxOf(await newTenant())
  const fill = async (namespace: string, count: number) => {
    const operations = Array.from({ length: count }, (_, at) => ({
      op: 'store',
      content: `${at}`,
      context: { namespace },
    }))
    await batch({ ...ctx, requestId: system.newId('req') }, { operations })
  }
  for (const namespace of ['large', 'other', 'more']) await fill(namespace, 50)
  await fill('quiet', 3)
  await fill('large', 50)
  const measure = async (query: Record<string, unknown>) => {
    const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    const { data } = await page({ ...ctx, db: db.metered(meter) }, query)
    return { rows: data.length, ...meter }
  }
  const one = await measure({ namespace: 'quiet' })
  const two = await measure({ namespaces: ['quiet', 'nowhere'] })
  expect(two).toMatchObject({ rows: 3, roundTrips: 1 })
  expect(two.rowsRead).toBeLessThan(one.rowsRead + 15)
  const three = await measure({ namespaces: ['large', 'quiet', 'more'], limit: 5 })
  expect(three).toMatchObject({ rows: 5, roundTrips: 1 })
  expect(three.rowsRead).toBeLessThan(100)
})
