/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import type { Meter } from '../../../src/core/database/meter.ts'
import { list, ListInput } from '../../../src/memory/operations/list.ts'
import { MAX_PREFIX_NAMESPACES } from '../../../src/memory/filter/namespace-prefix.ts'
import { newWriter } from '../../support/memory.ts'
import { fill } from '../../support/namespaces.ts'
import { ctxOf, embedded, find, stored } from '../../support/search.ts'
import { addMember, db, newTenant } from '../../support/world.ts'

const page = (ctx: AuthContext, query: Record<string, unknown>) => list(ctx, ListInput.parse(query))

const namesOf = (items: readonly { context: { namespace: string } }[]): string[] =>
  items.map(({ context }) => context.namespace).sort()

/** One item in each namespace. */
async function oneEach(ctx: AuthContext, namespaces: readonly string[]): Promise<void> {
  for (const namespace of namespaces) await embedded(ctx, ['a blue kettle'], { context: { namespace }, tags: ['x'] })
}

/** The namespaces of what each list and each search finds. */
async function seen(ctx: AuthContext, context: Record<string, unknown>): Promise<string[][]> {
  const lists = [{}, { q: 'kettle' }, { tags: 'x' }, { sort: 'occurred_at' }]
  const listed = await Promise.all(lists.map((more) => page(ctx, { ...context, ...more })))
  const searches = [{ mode: 'hybrid' }, { mode: 'semantic' }, { mode: 'keyword' }, { filters: { tags: ['x'] } }]
  const found = await Promise.all(searches.map((more) => find(ctx, 'blue kettle', { ...more, context })))
  return [...listed.map(({ data }) => namesOf(data)), ...found.map(({ results }) => namesOf(results))]
}

const everywhere = (...names: string[]): string[][] => Array.from({ length: 8 }, () => names)

const CUSTOMERS = ['c-1', 'c-17', 'c-1:chat', 'c-1:chat:2', 'c-1.x', 'c-1x', 'c-', 'default']

test('contract §3: namespace_prefix reads a namespace and those below it, and with a final colon those below alone', async () => {
  const ctx = ctxOf(await newTenant())
  await oneEach(ctx, CUSTOMERS)
  expect(await seen(ctx, { namespace_prefix: 'c-1' })).toEqual(everywhere('c-1', 'c-1:chat', 'c-1:chat:2'))
  expect(await seen(ctx, { namespace_prefix: 'c-1:' })).toEqual(everywhere('c-1:chat', 'c-1:chat:2'))
  expect(await seen(ctx, { namespace_prefix: 'c-1:chat:2' })).toEqual(everywhere('c-1:chat:2'))
  expect(await seen(ctx, { namespace_prefix: 'nowhere' })).toEqual(everywhere())
})

test('security 27: of a prefix a key reads the namespaces that it is limited to', async () => {
  const user = await newTenant()
  await oneEach(ctxOf(user), CUSTOMERS)
  const permissions = [{ project_id: user.projectId, access: 'read' as const, namespaces: ['c-17', 'c-1:chat', 'd'] }]
  const limited = ctxOf(user, { permissions })
  expect(await seen(limited, { namespace_prefix: 'c-1' })).toEqual(everywhere('c-1:chat'))
  expect(await seen(limited, { namespace_prefix: 'c-1:chat:' })).toEqual(everywhere())
  expect(await seen(limited, { namespace_prefix: 'c-' })).toEqual(everywhere())
})

test('security 26: a prefix of another tenant’s project is a 404, and of one’s own holds no foreign item', async () => {
  const [user, stranger] = [await newTenant(), await newTenant()]
  await oneEach(ctxOf(user), ['c-1'])
  const ctx = ctxOf(stranger)
  expect(await seen(ctx, { namespace_prefix: 'c-1' })).toEqual(everywhere())
  const there = { project_id: user.projectId, namespace_prefix: 'c-1' }
  await expect(page(ctx, there)).rejects.toMatchObject({ status: 404 })
  await expect(find(ctx, 'kettle', { context: there })).rejects.toMatchObject({ status: 404 })
})

test('a prefix shows no private item of another member', async () => {
  const owner = await newTenant()
  const [editor, viewer] = [ctxOf(await addMember(owner, 'editor')), ctxOf(await addMember(owner, 'viewer'))]
  const context = { namespace: 'c:1', project_id: owner.projectId }
  await stored(editor, 'a blue kettle', { visibility: 'private', context })
  const read = { project_id: owner.projectId, namespace_prefix: 'c' }
  expect((await page(editor, read)).data).toHaveLength(1)
  expect((await page(viewer, read)).data).toEqual([])
  expect((await find(viewer, 'kettle', { mode: 'keyword', context: read })).results).toEqual([])
})

test.each([
  ['namespace beside it', { namespace: 'b', namespace_prefix: 'a' }],
  ['namespaces beside it', { namespaces: ['b'], namespace_prefix: 'a' }],
  ['"*"', { namespace_prefix: '*' }],
  ['an empty one', { namespace_prefix: '' }],
  ['one that is no name', { namespace_prefix: 'a b' }],
  ['a long one', { namespace_prefix: 'a'.repeat(129) }],
])('contract §3: a search, a bulk delete, a list and an export with %s are 422', async (_, context) => {
  const user = await newWriter()
  const query = new URLSearchParams(Object.entries(context).map(([name, value]) => [name, String(value)])).toString()
  const answers = [
    await user.send('POST', '/api/memory/search', { query: 'x', context }),
    await user.send('POST', '/v1/memory/delete', { filters: {}, context }),
    await user.send('GET', `/v1/memory/items?${query}`),
    await user.send('GET', `/v1/memory/export?${query}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422])
  expect(answers[0]?.body.errors[0].path).toBe('context.namespace_prefix')
})

test('contract §3: export and bulk delete take a prefix too; a write takes none', async () => {
  const user = await newWriter()
  for (const namespace of ['c', 'c:1', 'cc']) await user.store({ content: 'x', context: { namespace } })
  const exported = await user.send('GET', '/v1/memory/export?namespace_prefix=c')
  expect(exported.text.match(/"namespace":"[^"]*"/g)).toEqual(['"namespace":"c"', '"namespace":"c:1"'])
  const context = { namespace_prefix: 'c' }
  expect((await user.send('POST', '/v1/memory/delete', { context, filters: {} })).body).toMatchObject({ deleted: 2 })
  expect((await user.store({ content: 'x', context })).status).toBe(422)
})

/** Ids of all pages, in the order of the list. */
async function idsOf(ctx: AuthContext, query: Record<string, unknown>): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const found = await page(ctx, { ...query, limit: 7, ...(cursor ? { cursor } : {}) })
    ids.push(...found.data.map(({ id }) => id))
    cursor = found.next_cursor
  }
  return ids
}

test.each([
  ['few', 5],
  ['too many to look each up', MAX_PREFIX_NAMESPACES + 6],
])('the pages of a prefix with %s namespaces are those of one list, in either order', async (_, count) => {
  const ctx = ctxOf(await newTenant())
  await fill(ctx, Object.fromEntries(Array.from({ length: count }, (_, at) => [`p:${at}`, 3])))
  await fill(ctx, { other: 30, 'p-1': 30 })
  const all = await idsOf(ctx, { namespace: '*' })
  const below = await idsOf(ctx, { namespace_prefix: 'p:' })
  expect(below).toHaveLength(3 * count)
  expect(all.filter((id) => below.includes(id))).toEqual(below)
  expect(await idsOf(ctx, { namespace_prefix: 'p', sort: 'created_at' })).toEqual(below.toReversed())
})

test('security 54: a page of a prefix looks its namespaces up, however large the project is', async () => {
  const ctx = ctxOf(await newTenant())
  await fill(ctx, { 'c:1': 3, 'c:2': 2, large: 400, 'c-large': 400 })
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const metered = { ...ctx, db: db.metered(meter) }
  for (const sort of ['-created_at', 'occurred_at']) {
    Object.assign(meter, { roundTrips: 0, rowsRead: 0 })
    expect((await page(metered, { namespace_prefix: 'c', sort })).data).toHaveLength(5)
    expect(meter.roundTrips).toBe(2)
    expect(meter.rowsRead).toBeLessThan(100)
  }
})

test('a search with a prefix makes no further round trip', async () => {
  const ctx = ctxOf(await newTenant())
  await oneEach(ctx, ['c:1'])
  const measure = async (context: Record<string, unknown>): Promise<number> => {
    const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    await find({ ...ctx, db: db.metered(meter) }, 'kettle', { context })
    return meter.roundTrips
  }
  expect(await measure({ namespace_prefix: 'c' })).toBe(await measure({ namespace: 'c:1' }))
})
