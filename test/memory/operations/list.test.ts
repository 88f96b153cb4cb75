/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import type { Meter } from '../../../src/core/database/meter.ts'
import { list, ListInput } from '../../../src/memory/operations/list.ts'
import { decodedCursor } from '../../support/decoded-cursor.ts'
import { fill } from '../../support/namespaces.ts'
import { ctxOf, embedded, stored } from '../../support/search.ts'
import { addMember, call, db, newTenant } from '../../support/world.ts'

const page = (ctx: ReturnType<typeof ctxOf>, query: Record<string, unknown> = {}) => list(ctx, ListInput.parse(query))

const names = (items: { custom_id: string | null }[]) => items.map((item) => item.custom_id).join('')

test('a list is newest first, and its pages stay stable while rows come and go', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  for (const name of 'abcdef') await stored(ctx, `text ${name}`, { custom_id: name })
  const first = await page(ctx, { limit: '2' })
  expect(names(first.data)).toBe('fe')
  expect(first.has_more).toBe(true)
  await stored(ctx, 'newer', { custom_id: 'g' })
  const second = await page(ctx, { limit: '2', cursor: first.next_cursor })
  expect(names(second.data)).toBe('dc')
  const last = await page(ctx, { limit: '2', cursor: second.next_cursor })
  expect(names(last.data)).toBe('ba')
  expect(last).toMatchObject({ has_more: false, next_cursor: null })
  expect(names((await page(ctx, { sort: 'created_at' })).data)).toBe('abcdefg')
})

test('all parameters narrow the list together', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const context = { conversation_id: 'c', document_id: 'd', session_id: 's', scope: 'document' }
  await stored(ctx, 'The blue kettle', { custom_id: 'a', tags: ['red', 'big'], context })
  await stored(ctx, 'A green kettle', {
    custom_id: 'b',
    tags: ['red'],
    content: { text: 'A green kettle', metadata: { n: 2 } },
  })
  await stored(ctx, 'far away', { custom_id: 'c', context: { namespace: 'far' } })
  await embedded(ctx, ['completed'], { custom_id: 'd' })
  const found = async (query: Record<string, unknown>) => names((await page(ctx, query)).data)
  expect(await found({})).toBe('dba')
  expect(await found({ namespace: 'far' })).toBe('c')
  expect(await found({ namespace: '*' })).toBe('dcba')
  expect(await found({ tags: 'red' })).toBe('ba')
  expect(await found({ tags: ['red', 'big'], tags_match: 'all' })).toBe('a')
  expect(await found({ scope: 'document', conversation_id: 'c', document_id: 'd', session_id: 's' })).toBe('a')
  expect(await found({ embedding_status: 'completed' })).toBe('d')
  expect(await found({ created_after: '2100-01-01T00:00:00Z' })).toBe('')
  expect(await found({ created_before: '2100-01-01T00:00:00Z' })).toBe('dba')
  expect(await found({ q: 'kettles' })).toBe('ba')
  expect(await found({ q: 'green kettle' })).toBe('b')
  expect(await found({ q: 'the' })).toBe('a')
  expect(await found({ q: '" OR *' })).toBe('')
  expect(await found({ q: '%' })).toBe('')
  expect(await found({ filters: '{"metadata.n": 2}' })).toBe('b')
  expect(await found({ filters: '{"NOT": {"tags": ["red"]}}', q: 'completed' })).toBe('d')
})

test.each([
  ['filters that are no JSON', 'filters=%7B'],
  ['an unknown filter', `filters=${encodeURIComponent('{"colour": 1}')}`],
  ['an unknown parameter', 'colour=red'],
  ['a limit of 101', 'limit=101'],
  ['an unknown sort', 'sort=updated_at'],
  ['a made-up cursor', 'cursor=xyz'],
  ["another list's cursor", `cursor=${btoa('["a",1]')}`],
])('422: %s', async (_, query) => {
  const { key } = await newTenant()
  expect((await call('GET', `/v1/memory/items?${query}`, { key })).status).toBe(422)
})

test('an error in the filters names the parameter, not a body', async () => {
  const { key } = await newTenant()
  const { body } = await call('GET', '/v1/memory/items?filters=%7B', { key })
  const message = 'The parameter is not valid JSON.'
  expect(body).toMatchObject({
    detail: `filters: ${message}`,
    errors: [{ path: 'filters', code: 'invalid_json', message }],
  })
})

test("private items of others, expired ones and another tenant's are not listed", async () => {
  const owner = await newTenant()
  const member = await addMember(owner, 'viewer')
  const ctx = ctxOf(owner)
  await stored(ctx, 'private kettle', { visibility: 'private' })
  await stored(ctx, 'brief kettle', { ttl: 1 })
  const open = await stored(ctx, 'open kettle')
  const later = ctxOf(member, { now: () => ctx.now() + 2_000 })
  for (const query of [{}, { q: 'kettle' }]) {
    expect((await page(later, query)).data.map((item) => item.id)).toEqual([open.id])
  }
  const stranger = await newTenant()
  await expect(page(ctxOf(stranger), { project_id: owner.projectId })).rejects.toMatchObject({ status: 404 })
})

test('a list is one statement, and reads rows of the page and not of the project', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  for (let at = 0; at < 40; at++) await stored(ctx, `text ${at}`)
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  await page({ ...ctx, db: db.metered(meter) }, { limit: '5' })
  expect(meter.roundTrips).toBe(1)
  expect(meter.rowsRead).toBeLessThan(60)
})

test('a list with q acquires a permit of the search limit', async () => {
  const { key } = await newTenant()
  const plain = await call('GET', '/v1/memory/items', { key })
  expect(plain.headers.get('RateLimit-Policy')).toContain('"read";q=20')
  const words = await call('GET', '/v1/memory/items?q=x', { key })
  expect(words.headers.get('RateLimit-Policy')).toContain('"memory.search";q=5')
})

test('a page reads only the rows that it shows, however deep it lies and however large the project is', async () => {
  const user = await newTenant()
  const texts = (count: number) => Array.from({ length: count }, (_, nth) => `Text ${nth}.`)
  await embedded(ctxOf(user), texts(400), { context: { namespace: 'crowded' } })
  await embedded(ctxOf(user), texts(3), { context: { namespace: 'quiet' } })
  const labels = { conversation_id: 'chat-1' }
  await embedded(ctxOf(user), texts(3), { context: { namespace: 'crowded', ...labels } })
  await embedded(ctxOf(user), ['One zebra.', 'A zebra.', 'No zebra.'], { context: { namespace: 'crowded' } })
  await embedded(ctxOf(user), texts(100), { context: { namespace: 'crowded' } })
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const metered = ctxOf(user, { db: db.metered(meter) })
  const rowsOf = async (query: Record<string, unknown>) => {
    meter.rowsRead = 0
    const { data } = await page(metered, query)
    return { shown: data.length, rows: meter.rowsRead }
  }
  for (const namespace of ['crowded', '*']) {
    for (const sort of ['created_at', '-created_at']) {
      let cursor: string | null = null
      for (let at = 0; at < 3; at++) {
        const next: string | null = (
          await page(metered, { namespace, sort, limit: 100, ...(cursor ? { cursor } : {}) })
        ).next_cursor
        cursor = next
      }
      const deep = await rowsOf({ namespace, sort, limit: 10, cursor })
      expect(deep.shown).toBe(10)
      expect(deep.rows, `${namespace} ${sort}`).toBeLessThan(100)
    }
  }
  const alone = { namespace: 'crowded', q: 'zebra' }
  for (const few of [
    { namespace: 'quiet' },
    { namespace: 'crowded', ...labels },
    { namespace: '*', ...labels },
    alone,
  ]) {
    const { shown, rows } = await rowsOf(few)
    expect(shown).toBe(3)
    // With `q` it also reads the classes of the index, for each of its parts.
    expect(rows, JSON.stringify(few)).toBeLessThan('q' in few ? 50 : 40)
  }
})

test('a list by custom_id looks the item up, however many items the namespace has', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  await fill(ctx, { large: 600 })
  const item = await stored(ctx, 'text', { custom_id: 'x', tags: ['t'], context: { namespace: 'large' } })
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const metered = ctxOf(user, { db: db.metered(meter) })
  const found = async (filters: object, more: Record<string, unknown> = {}) => {
    const query = { namespace: 'large', filters: JSON.stringify(filters), ...more }
    return (await page(metered, query)).data.map(({ id }) => id)
  }
  expect(await found({ custom_id: 'x' })).toEqual([item.id])
  expect(await found({ custom_id: { in: ['x', 'y'] }, tags: ['t'] }, { sort: 'occurred_at' })).toEqual([item.id])
  expect(await found({ custom_id: 'x', tags: ['other'] })).toEqual([])
  expect(await found({ custom_id: 'nowhere' })).toEqual([])
  expect(meter.roundTrips).toBe(4)
  expect(meter.rowsRead).toBeLessThan(100)
  expect(await found({ OR: [{ custom_id: 'x' }, { tags: ['t'] }] })).toEqual([item.id])
  expect(await found({ custom_id: null }, { limit: 1 })).toHaveLength(1)
})

test('contract §3: a page of a list ends after 2 MiB of texts and metadata, and its cursor goes on', async () => {
  const ctx = ctxOf(await newTenant())
  const metadata = { pad: 'x'.repeat(14_000) }
  const text = 'é'.repeat(65_536)
  for (let n = 0; n < 16; n += 1) await stored(ctx, '', { custom_id: `${n}`, content: { text, metadata } })
  const pages = async (query: Record<string, unknown>) => {
    const all: (string | null)[][] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const found = await page(ctx, { limit: '100', ...query, ...(cursor ? { cursor } : {}) })
      all.push(found.data.map((item) => item.custom_id))
      expect(found.has_more).toBe(found.next_cursor !== null)
      cursor = found.next_cursor
    }
    return all
  }
  const order = Array.from({ length: 16 }, (_, n) => `${n}`)
  // The fifteenth passes the 2 MiB. The texts of its own page are shown whole.
  const cut = [order.slice(0, 15), order.slice(15)]
  expect(await pages({ sort: 'created_at' })).toEqual(cut)
  const filters = JSON.stringify({ 'metadata.pad': { '>': 'a' } })
  expect(await pages({ sort: 'occurred_at', filters })).toEqual(cut)
  expect((await pages({})).map((own) => own.length)).toEqual([15, 1])
  expect(await pages({ sort: 'created_at', limit: '15' })).toEqual(cut)
})

test('security 28: a page that looked at 20,000 items tells nothing of the hidden one at its end', async () => {
  const owner = await newTenant()
  const viewer = ctxOf({ ...(await addMember(owner, 'viewer')), projectId: owner.projectId })
  const open = await stored(ctxOf(owner), 'open', { tags: ['rare'] })
  await fill(ctxOf(owner), { default: 20_001 }, { visibility: 'private' })
  const first = await page(viewer, { tags: 'rare' })
  expect(first).toMatchObject({ data: [], has_more: true })
  const looked = await db.all<{ id: string; created_at: number }>(
    'select id, created_at from memory_items where project_id = :project',
    { project: owner.projectId },
  )
  const told = decodedCursor(first.next_cursor)
  expect(looked.filter((row) => told.includes(row.id) || told.includes(String(row.created_at)))).toEqual([])
  const rest = await page(viewer, { tags: 'rare', cursor: first.next_cursor })
  expect({ ids: rest.data.map(({ id }) => id), more: rest.has_more }).toEqual({ ids: [open.id], more: false })
})
