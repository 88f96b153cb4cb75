/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import type { Meter } from '../../../src/core/database/meter.ts'
import { ListNamespaces, namespaces } from '../../../src/memory/operations/namespaces.ts'
import { travel } from '../../support/clock.ts'
import { decodedCursor } from '../../support/decoded-cursor.ts'
import { newWriter } from '../../support/memory.ts'
import { fill } from '../../support/namespaces.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { addKey, addMember, call, db, newTenant } from '../../support/world.ts'

const page = (ctx: AuthContext, query: Record<string, unknown> = {}) => namespaces(ctx, ListNamespaces.parse(query))

const names = async (ctx: AuthContext, query: Record<string, unknown> = {}): Promise<string[]> =>
  (await page(ctx, query)).data.map(({ namespace }) => namespace)

test('contract §3: a list of namespaces has those of one project with items, by name, page after page', async () => {
  const user = await newWriter()
  const other = await user.send('POST', '/api/projects', { name: 'Other', workspace_id: user.workspaceId })
  for (const namespace of ['b', 'a:1', 'a', 'Z', 'a-1']) await user.store({ content: 'x', context: { namespace } })
  await user.store({ content: 'x', context: { namespace: 'there', project_id: other.body.id } })
  const all = await user.send('GET', '/v1/memory/namespaces')
  expect(all.body).toEqual({
    data: ['Z', 'a', 'a-1', 'a:1', 'b'].map((namespace) => ({ project_id: user.projectId, namespace })),
    has_more: false,
    next_cursor: null,
  })
  const first = await user.send('GET', '/v1/memory/namespaces?limit=2')
  expect(first.body).toMatchObject({ data: [{ namespace: 'Z' }, { namespace: 'a' }], has_more: true })
  const next = await user.send('GET', `/v1/memory/namespaces?limit=3&cursor=${first.body.next_cursor}`)
  expect(next.body.data.map((one: { namespace: string }) => one.namespace)).toEqual(['a-1', 'a:1', 'b'])
  expect(next.body.has_more).toBe(false)
  const there = await user.send('GET', `/v1/memory/namespaces?project_id=${other.body.id}`)
  expect(there.body.data).toEqual([{ project_id: other.body.id, namespace: 'there' }])
})

test('contract §3: a prefix is a namespace and those below it, and with a final colon those below alone', async () => {
  const ctx = ctxOf(await newTenant())
  const all = ['c', 'c-1', 'c.1', 'c0', 'c1', 'c:', 'c:1', 'c:1:x', 'c:2', 'cc', 'd']
  for (const namespace of all) await stored(ctx, 'x', { context: { namespace } })
  expect(await names(ctx, { prefix: 'c' })).toEqual(['c', 'c:', 'c:1', 'c:1:x', 'c:2'])
  expect(await names(ctx, { prefix: 'c:' })).toEqual(['c:', 'c:1', 'c:1:x', 'c:2'])
  expect(await names(ctx, { prefix: 'c:1' })).toEqual(['c:1', 'c:1:x'])
  expect(await names(ctx, { prefix: 'c:1:x' })).toEqual(['c:1:x'])
  expect(await names(ctx, { prefix: 'e' })).toEqual([])
  const pages: string[][] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const found = await page(ctx, { prefix: 'c', limit: 2, ...(cursor ? { cursor } : {}) })
    pages.push(found.data.map(({ namespace }) => namespace))
    cursor = found.next_cursor
  }
  expect(pages).toEqual([['c', 'c:'], ['c:1', 'c:1:x'], ['c:2']])
})

test('a namespace is shown while an item of it lives that the caller may read', async () => {
  const owner = await newTenant()
  const editor = ctxOf(await addMember(owner, 'editor'))
  const viewer = ctxOf({ ...(await addMember(owner, 'viewer')), projectId: owner.projectId })
  const at = (namespace: string) => ({ context: { namespace, project_id: owner.projectId } })
  await stored(editor, 'hidden', { ...at('a'), visibility: 'private' })
  await stored(editor, 'shared', { ...at('b'), ttl: 60 })
  await stored(editor, 'shared', at('c'))
  const query = { project_id: owner.projectId }
  expect(await names(viewer, query)).toEqual(['b', 'c'])
  expect(await names(editor, query)).toEqual(['a', 'b', 'c'])
  travel(61_000)
  expect(await names(viewer, query)).toEqual(['c'])
})

test('contract §3: with counts each namespace tells its current readable items up to 1,000 and their last write', async () => {
  const owner = await newTenant()
  const editor = ctxOf(await addMember(owner, 'editor'))
  const viewer = ctxOf({ ...(await addMember(owner, 'viewer')), projectId: owner.projectId })
  const at = (namespace: string) => ({ context: { namespace, project_id: owner.projectId } })
  await stored(editor, 'one', at('a'))
  travel(5_000)
  const { updated_at: last } = await stored(editor, 'two', at('a'))
  await stored(editor, 'hidden', { ...at('a'), visibility: 'private' })
  await stored(editor, 'gone', { ...at('a'), ttl: 60 })
  await stored(editor, 'hidden', { ...at('b'), visibility: 'private' })
  travel(61_000)
  const query = { project_id: owner.projectId, include: 'counts' }
  const { project_id } = query
  expect((await page(viewer, query)).data).toEqual([{ project_id, namespace: 'a', items: 2, last_write_at: last }])
  expect((await page(editor, query)).data.map(({ namespace, items }) => [namespace, items])).toEqual([
    ['a', 3],
    ['b', 1],
  ])
  // security 27: a key that is limited to a namespace counts in no other.
  const permissions = [{ project_id: owner.projectId, access: 'read' as const, namespaces: ['b', 'c'] }]
  const limited = ctxOf({ ...owner }, { permissions })
  expect((await page(limited, query)).data.map(({ namespace }) => namespace)).toEqual(['b'])
})

test('what is counted ends at 1,000, and a page with counts at 20 namespaces', async () => {
  const owner = await newTenant()
  const ctx = ctxOf(owner)
  const small = Object.fromEntries(Array.from({ length: 21 }, (_, nth) => [`n${nth + 10}`, 1]))
  await fill(ctx, { ...small, large: 1_002 })
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const first = await page({ ...ctx, db: db.metered(meter) }, { include: 'counts', limit: 100 })
  expect([first.data.length, first.has_more, first.data[0]?.namespace]).toEqual([20, true, 'large'])
  expect(first.data[0]).toMatchObject({ items: 1_000, items_truncated: true })
  expect(meter.rowsRead).toBeLessThan(5_000)
  const { data, has_more } = await page(ctx, { include: 'counts', limit: 100, cursor: first.next_cursor ?? '' })
  expect(data.map(({ namespace, items, items_truncated }) => [namespace, items, items_truncated])).toEqual([
    ['n28', 1, undefined],
    ['n29', 1, undefined],
    ['n30', 1, undefined],
  ])
  expect(has_more).toBe(false)
})

test('a page with counts looks at the items of those that it shows, and not at those behind it', async () => {
  const ctx = ctxOf(await newTenant())
  await fill(ctx, Object.fromEntries(Array.from({ length: 21 }, (_, nth) => [`a${nth + 10}`, 300])))
  const rowsOf = async (query: Record<string, unknown>): Promise<number> => {
    const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    await page({ ...ctx, db: db.metered(meter) }, { include: 'counts', ...query })
    return meter.rowsRead
  }
  const one = await rowsOf({ prefix: 'a10' })
  expect(one).toBeGreaterThan(300)
  expect(await rowsOf({ limit: 1 })).toBeLessThan(one + 50)
  expect(await rowsOf({ limit: 20 })).toBeLessThan(20 * one + 200)
})

test('security 27: a key that is limited to namespaces sees those of them alone', async () => {
  const user = await newWriter()
  for (const namespace of ['a', 'a:1', 'b', 'c']) await user.store({ content: 'x', context: { namespace } })
  const limited = async (...permitted: string[]) => {
    const permissions = [{ project_id: user.projectId, access: 'read' as const, namespaces: permitted }]
    const { secret } = await addKey(user, { permissions, scopes: ['read:memory'] })
    return async (query: string) => {
      const { body } = await call('GET', `/v1/memory/namespaces?${query}`, { key: secret })
      return body.data.map((one: { namespace: string }) => one.namespace)
    }
  }
  const key = await limited('c', 'a:1', 'nowhere')
  expect(await key('')).toEqual(['a:1', 'c'])
  expect(await key('prefix=a')).toEqual(['a:1'])
  expect(await key('prefix=b')).toEqual([])
})

test('security 26: the namespaces of another tenant’s project are the 404 of one that never existed', async () => {
  const [user, stranger] = [await newWriter(), await newWriter()]
  await user.store({ content: 'x', context: { namespace: 'secret' } })
  const there = await stranger.send('GET', `/v1/memory/namespaces?project_id=${user.projectId}`)
  const nowhere = await stranger.send('GET', `/v1/memory/namespaces?project_id=prj_${'0'.repeat(26)}`)
  expect([there.status, nowhere.status]).toEqual([404, 404])
  expect({ ...there.body, request_id: '' }).toEqual({ ...nowhere.body, request_id: '' })
  const own = await stranger.send('GET', '/v1/memory/namespaces?prefix=secret')
  expect(own.body.data).toEqual([])
})

test.each([
  'prefix=',
  'prefix=a%20b',
  'prefix=*',
  `prefix=${'a'.repeat(129)}`,
  'limit=101',
  'cursor=x',
  'namespace=a',
  'include=all',
])('422: %s', async (query) => {
  const user = await newWriter()
  expect((await user.send('GET', `/v1/memory/namespaces?${query}`)).status).toBe(422)
})

test('security 54: a page looks each namespace up, however many items it has', async () => {
  const ctx = ctxOf(await newTenant())
  await fill(ctx, Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`n${at + 10}`, 20])))
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const metered = { ...ctx, db: db.metered(meter) }
  expect(await names(metered, { prefix: 'n10', limit: 2 })).toEqual(['n10'])
  expect(await names(metered, { limit: 2 })).toEqual(['model', 'n10'])
  expect(meter.roundTrips).toBe(2)
  // Two look-ups for each name, one name more than the page has, and the membership.
  expect(meter.rowsRead).toBeLessThan(40)
})

test('contract §3: a page that looked at 1,000 namespaces may be short, and its cursor goes on from there', async () => {
  const owner = await newTenant()
  const editor = ctxOf(await addMember(owner, 'editor'))
  const hidden = Object.fromEntries(Array.from({ length: 1_005 }, (_, at) => [`hidden-${at}`, 1]))
  await fill(editor, hidden, { project_id: owner.projectId, visibility: 'private' })
  await stored(editor, 'x', { context: { namespace: 'z', project_id: owner.projectId } })
  const viewer = ctxOf(await addMember(owner, 'viewer'))
  const query = { project_id: owner.projectId }
  const first = await page(viewer, query)
  expect(first).toMatchObject({ data: [], has_more: true })
  expect(decodedCursor(first.next_cursor)).not.toMatch(/hidden/)
  const next = await page(viewer, { ...query, cursor: first.next_cursor })
  expect(next).toMatchObject({ data: [{ namespace: 'z' }], has_more: false })
})
