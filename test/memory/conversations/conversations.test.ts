/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import type { Meter } from '../../../src/core/database/meter.ts'
import { listConversations, ListConversations } from '../../../src/memory/conversations/list.ts'
import { auditOf } from '../../support/audit.ts'
import { travel } from '../../support/clock.ts'
import { copyTurns } from '../../support/copied-turns.ts'
import { decodedCursor } from '../../support/decoded-cursor.ts'
import { newWriter, writerFor, type Writer } from '../../support/memory.ts'
import { ctxOf } from '../../support/search.ts'
import { addKey, addMember, call, db, newTenant } from '../../support/world.ts'

const LIST = '/v1/memory/conversations'
const day = (n: number): string => `2026-05-${String(n).padStart(2, '0')}T10:00:00.000Z`

interface Said {
  id: string
  /** The day of each turn, or the turn itself. */
  turns: readonly (number | object)[]
  more?: object
}
async function ingest(user: Writer, { id, turns, more = {} }: Said): Promise<string[]> {
  const messages = turns.map((turn) => ({
    role: 'user',
    ...(typeof turn === 'number' ? { content: `${id} of ${turn}`, timestamp: day(turn) } : turn),
  }))
  const { status, text, body } = await user.send('POST', '/v1/memory/ingest', {
    conversation_id: id,
    messages,
    ...more,
  })
  expect({ status, text }).toMatchObject({ status: 200 })
  return body.messages.flatMap(({ ids }: { ids: string[] }) => ids)
}
const listed = async (user: Writer, query = ''): Promise<any[]> =>
  (await user.send('GET', `${LIST}?${query}`)).body.data
const ids = async (user: Writer, query = ''): Promise<string[]> =>
  (await listed(user, query)).map(({ conversation_id }) => conversation_id)
const textsOf = async (user: Writer, id: string, query = ''): Promise<string[]> =>
  (await user.send('GET', `${LIST}/${encodeURIComponent(id)}?${query}`)).body.data.map(
    ({ content }: any) => content.text,
  )

async function fill(user: Writer, counts: Record<string, number>, more: object = {}): Promise<void> {
  const [model] = await ingest(user, { id: 'model', turns: [{ content: 'a model', timestamp: day(1) }], more })
  const copies = Object.entries(counts).flatMap(([id, count]) => Array.from({ length: count }, () => id))
  await copyTurns(model ?? '', copies)
}
const page = (ctx: AuthContext, query: Record<string, unknown> = {}) =>
  listConversations(ctx, ListConversations.parse(query))

test('contract §3: the conversations of a namespace, the one with the newest turn first', async () => {
  const user = await newWriter()
  const context = { subject: 'Ada' }
  await ingest(user, {
    id: 'a',
    turns: [{ content: '\n  Hello.\nA second line', timestamp: day(2) }, 3],
    more: { context },
  })
  await ingest(user, { id: 'b', turns: [5, 4] })
  await ingest(user, { id: 'a', turns: [1] })
  await ingest(user, { id: 'elsewhere', turns: [9], more: { context: { namespace: 'n' } } })
  await user.store({ content: 'a note', context: { conversation_id: 'c' } })
  const place = { project_id: user.projectId, namespace: 'default' }
  expect(await listed(user)).toEqual([
    {
      conversation_id: 'b',
      ...place,
      turns: 2,
      first_at: day(4),
      last_at: day(5),
      subject: null,
      first_line: 'b of 4',
    },
    {
      conversation_id: 'a',
      ...place,
      turns: 3,
      first_at: day(1),
      last_at: day(3),
      subject: null,
      first_line: 'a of 1',
    },
  ])
  expect(await ids(user, 'namespace=n')).toEqual(['elsewhere'])
  expect(await ids(user, 'namespace=*')).toEqual(['elsewhere', 'b', 'a'])
  await ingest(user, { id: 'a', turns: [10] })
  expect(await ids(user)).toEqual(['a', 'b'])
})

test('subject and first line are of the first turn; a line is cut at 200 characters', async () => {
  const user = await newWriter()
  await ingest(user, {
    id: 'a',
    turns: [{ content: `\r\n a${'🫖'.repeat(201)}\nnext` }],
    more: { context: { subject: 'Ada' } },
  })
  expect(await listed(user)).toMatchObject([{ subject: 'Ada', first_line: `a${'🫖'.repeat(99)}` }])
})

test('pages go on behind the last conversation, in one namespace and in all', async () => {
  const user = await newWriter()
  const same = [{ content: 'x', timestamp: day(1) }]
  for (const id of ['a', 'b', 'c']) await ingest(user, { id, turns: same })
  for (const id of ['a', 'd']) await ingest(user, { id, turns: same, more: { context: { namespace: 'n' } } })
  const walk = async (query: string): Promise<string[]> => {
    const found: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: any } = await user.send(
        'GET',
        `${LIST}?limit=1&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      expect(body.has_more).toBe(body.next_cursor !== null)
      found.push(...body.data.map(({ namespace, conversation_id }: any) => `${namespace}/${conversation_id}`))
      cursor = body.next_cursor
    }
    return found
  }
  expect(await walk('')).toEqual(['default/c', 'default/b', 'default/a'])
  expect(await walk('namespace=*')).toEqual(['n/d', 'n/a', 'default/c', 'default/b', 'default/a'])
})

test('status tells which turns count, and a conversation without one is left out', async () => {
  const user = await newWriter()
  const [first = ''] = await ingest(user, { id: 'a', turns: [1, 2, 3] })
  const [only = ''] = await ingest(user, { id: 'b', turns: [4] })
  for (const id of [first, only]) await user.send('POST', `/v1/memory/items/${id}/retire`)
  const told = async (status: string) =>
    (await listed(user, status)).map(({ conversation_id, turns, first_at }) => [conversation_id, turns, first_at])
  expect(await told('')).toEqual([['a', 2, day(2)]])
  expect(await told('status=retired')).toEqual([
    ['b', 1, day(4)],
    ['a', 1, day(1)],
  ])
  expect(await told('status=any')).toEqual([
    ['b', 1, day(4)],
    ['a', 3, day(1)],
  ])
  expect(await textsOf(user, 'a')).toEqual(['a of 2', 'a of 3'])
  expect(await textsOf(user, 'a', 'status=retired')).toEqual(['a of 1'])
  expect(await textsOf(user, 'a', 'status=any')).toEqual(['a of 1', 'a of 2', 'a of 3'])
})

test('count, times, subject and first line are of turns that the caller may read; the order is of all', async () => {
  const owner = await newWriter()
  const viewer = await writerFor({ ...(await addMember(owner, 'viewer')), projectId: owner.projectId })
  const hidden = { visibility: 'private', context: { subject: 'secret' } }
  await ingest(owner, { id: 'a', turns: [2, 3] })
  await ingest(owner, { id: 'b', turns: [4], more: { ttl: 60 } })
  await ingest(owner, { id: 'a', turns: [1, 5], more: hidden })
  await ingest(owner, { id: 'hidden', turns: [6], more: hidden })
  const there = `project_id=${owner.projectId}`
  const seen = await viewer.send('GET', `${LIST}?${there}`)
  expect(seen.body.data).toMatchObject([
    { conversation_id: 'a', turns: 2, first_at: day(2), last_at: day(3), subject: null, first_line: 'a of 2' },
    { conversation_id: 'b', turns: 1 },
  ])
  expect(seen.text).not.toMatch(/secret|hidden/)
  expect(await textsOf(viewer, 'a', there)).toEqual(['a of 2', 'a of 3'])
  expect(await textsOf(viewer, 'hidden', there)).toEqual([])
  expect(await ids(owner)).toEqual(['hidden', 'a', 'b'])
  travel(61_000)
  expect(await ids(viewer, there)).toEqual(['a'])
})

test('security 27: a key that is limited to namespaces sees and deletes in those alone', async () => {
  const user = await newWriter()
  for (const namespace of ['a', 'b'])
    await ingest(user, { id: namespace, turns: [1], more: { context: { namespace } } })
  const permissions = [{ project_id: user.projectId, access: 'write' as const, namespaces: ['a'] }]
  const { secret: key } = await addKey(user, { permissions })
  const asked = async (method: string, path: string) => (await call(method, path, { key })).body
  expect((await asked('GET', `${LIST}?namespace=*`)).data).toMatchObject([{ conversation_id: 'a' }])
  expect((await asked('GET', `${LIST}?namespace=b`)).data).toEqual([])
  expect((await asked('GET', `${LIST}/b?namespace=b`)).data).toEqual([])
  expect(await asked('DELETE', `${LIST}/b?namespace=b`)).toEqual({ deleted: 0, has_more: false })
  expect(await asked('DELETE', `${LIST}/a?namespace=a`)).toEqual({ deleted: 1, has_more: false })
  expect(await ids(user, 'namespace=*')).toEqual(['b'])
})

test.each([
  ['GET', LIST],
  ['GET', `${LIST}/c`],
  ['DELETE', `${LIST}/c`],
])('security 26: %s %s of another tenant’s project is the 404 of one that never existed', async (method, path) => {
  const [user, stranger] = [await newWriter(), await newWriter()]
  await ingest(user, { id: 'c', turns: [1] })
  const there = await stranger.send(method, `${path}?project_id=${user.projectId}`)
  const nowhere = await stranger.send(method, `${path}?project_id=prj_${'0'.repeat(26)}`)
  expect([there.status, nowhere.status]).toEqual([404, 404])
  expect({ ...there.body, request_id: '' }).toEqual({ ...nowhere.body, request_id: '' })
  expect(await ids(user)).toEqual(['c'])
  expect(await ids(stranger)).toEqual([])
})

test('a conversation lists its turns in order and in pages; no note and no other namespace', async () => {
  const user = await newWriter()
  await ingest(user, { id: 'a/b ü', turns: [3, 1, 2] })
  await ingest(user, { id: 'a/b ü', turns: [4], more: { context: { namespace: 'n' } } })
  await user.store({ content: 'a note', context: { conversation_id: 'a/b ü' } })
  expect(await textsOf(user, 'a/b ü')).toEqual(['a/b ü of 1', 'a/b ü of 2', 'a/b ü of 3'])
  expect(await textsOf(user, 'a/b ü', 'namespace=n')).toEqual(['a/b ü of 4'])
  const path = `${LIST}/${encodeURIComponent('a/b ü')}`
  const { body } = await user.send('GET', `${path}?limit=2`)
  expect(body).toMatchObject({ data: [{ kind: 'turn', role: 'user' }, {}], has_more: true })
  expect(await textsOf(user, 'a/b ü', `cursor=${body.next_cursor}`)).toEqual(['a/b ü of 3'])
  expect((await user.send('GET', `${LIST}/nothing`)).body).toEqual({ data: [], has_more: false, next_cursor: null })
})

test.each([
  ['GET', `${LIST}?cursor=x`],
  ['GET', `${LIST}?limit=101`],
  ['GET', `${LIST}?status=gone`],
  ['GET', `${LIST}?namespace=a%20b`],
  ['GET', `${LIST}?conversation_id=a`],
  ['GET', `${LIST}/c?cursor=x`],
  ['GET', `${LIST}/c?status=gone`],
  ['GET', `${LIST}/c?namespace=*`],
  ['GET', `${LIST}/${'c'.repeat(129)}`],
  ['DELETE', `${LIST}/c?namespace=*`],
  ['DELETE', `${LIST}/c?status=any`],
])('422: %s %s', async (method, path) => {
  expect((await (await newWriter()).send(method, path)).status).toBe(422)
})

test('cursors belong to their list', async () => {
  const user = await newWriter()
  for (const id of ['a', 'b']) await ingest(user, { id, turns: [1, 2] })
  const conversations = await user.send('GET', `${LIST}?limit=1`)
  const turns = await user.send('GET', `${LIST}/a?limit=1`)
  const swapped = [
    await user.send('GET', `${LIST}?cursor=${turns.body.next_cursor}`),
    await user.send('GET', `${LIST}/a?cursor=${conversations.body.next_cursor}`),
  ]
  expect(swapped.map(({ status }) => status)).toEqual([422, 422])
})

test('DELETE takes retired turns too, and leaves notes, other conversations and other namespaces', async () => {
  const user = await newWriter()
  const [first = '', second = ''] = await ingest(user, { id: 'a', turns: [1, 2] })
  await ingest(user, { id: 'b', turns: [1] })
  await ingest(user, { id: 'a', turns: [3], more: { context: { namespace: 'n' } } })
  const { body: note } = await user.store({ content: 'a note', context: { conversation_id: 'a' } })
  await user.send('POST', `/v1/memory/items/${second}/retire`)
  const deleted = await user.send('DELETE', `${LIST}/a`)
  expect(deleted).toMatchObject({ status: 200, body: { deleted: 2, has_more: false } })
  const rows = await auditOf(deleted.headers.get('X-Request-Id') ?? '')
  expect(new Set(rows.map(({ action, resource_ids }) => `${action} ${resource_ids.join()}`))).toEqual(
    new Set([`memory.delete ${first}`, `memory.delete ${second}`]),
  )
  expect(await ids(user, 'namespace=*&status=any')).toEqual(['a', 'b'])
  expect(await ids(user, 'status=any')).toEqual(['b'])
  expect((await user.get(note.id)).status).toBe(200)
  expect((await user.send('DELETE', `${LIST}/a`)).body).toEqual({ deleted: 0, has_more: false })
})

test('DELETE leaves what the caller may not change, and what the caller may not see', async () => {
  const owner = await newWriter()
  const editor = await writerFor(await addMember(owner, 'editor'))
  const viewer = await writerFor(await addMember(owner, 'viewer'))
  const permissions = [{ user_id: editor.userId, access: 'read' }]
  await ingest(owner, { id: 'a', turns: [1] })
  await ingest(owner, { id: 'a', turns: [2], more: { visibility: 'private', permissions } })
  await ingest(owner, { id: 'a', turns: [3], more: { visibility: 'private' } })
  const path = `${LIST}/a?project_id=${owner.projectId}`
  expect((await viewer.send('DELETE', path)).status).toBe(403)
  expect((await editor.send('DELETE', path)).body).toEqual({ deleted: 1, has_more: false })
  expect(await textsOf(editor, 'a', `project_id=${owner.projectId}`)).toEqual(['a of 2'])
  expect(await textsOf(owner, 'a')).toEqual(['a of 2', 'a of 3'])
})

test('DELETE needs read:memory too, since its answer counts', async () => {
  for (const scopes of [['write:memory'], ['read:memory']] as const) {
    const { key } = await newTenant({ scopes: [...scopes] })
    expect((await call('DELETE', `${LIST}/c`, { key })).status).toBe(403)
  }
})

test('contract §3: DELETE takes 1,000 turns a call', async () => {
  const user = await newWriter()
  await fill(user, { a: 1_001 })
  expect((await user.send('DELETE', `${LIST}/a`)).body).toEqual({ deleted: 1_000, has_more: true })
  expect(await listed(user)).toMatchObject([{ conversation_id: 'a', turns: 1 }, { conversation_id: 'model' }])
  expect((await user.send('DELETE', `${LIST}/a`)).body).toEqual({ deleted: 1, has_more: false })
  expect(await ids(user)).toEqual(['model'])
})

test('contract §3: turns are counted up to 1,000, and a page looks at 20,000', async () => {
  const user = await newWriter()
  const large = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`s${n + 10}`, 1_100]))
  await fill(user, { a: 1_000, b: 1_001, ...large })
  const ctx = ctxOf(user)
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const found: any[] = []
  let pages = 0
  for (let cursor: string | null | undefined; cursor !== null; pages++) {
    const before = meter.rowsRead
    const part = await page({ ...ctx, db: db.metered(meter) }, { limit: 100, ...(cursor ? { cursor } : {}) })
    // Of each turn its entry in the index, twice, and its row.
    expect(meter.rowsRead - before).toBeLessThan(3.2 * 21_500)
    found.push(...part.data)
    cursor = part.next_cursor
  }
  expect([pages, meter.roundTrips]).toEqual([2, 2])
  const names = found.map(({ conversation_id }) => conversation_id)
  expect(new Set(names)).toEqual(new Set(['model', 'a', 'b', ...Object.keys(large)]))
  expect(names).toHaveLength(28)
  const of = (id: string) => found.find(({ conversation_id }) => conversation_id === id)
  expect(of('a')).toMatchObject({ turns: 1_000 })
  expect(of('a')).not.toHaveProperty('turns_truncated')
  expect(of('b')).toMatchObject({ turns: 1_000, turns_truncated: true })
})

test('contract §3: a page looks at 1,000 conversations, however many of them are hidden', async () => {
  const owner = await newWriter()
  const viewer = await writerFor({ ...(await addMember(owner, 'viewer')), projectId: owner.projectId })
  await ingest(owner, { id: 'shared', turns: [{ content: 'x', timestamp: '2001-01-01T00:00:00Z' }] })
  const hidden = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`hidden-${n}`, 1]))
  await fill(owner, hidden, { visibility: 'private' })
  const first = await page(ctxOf(viewer), { project_id: owner.projectId })
  expect(first).toMatchObject({ data: [], has_more: true })
  expect(decodedCursor(first.next_cursor)).not.toMatch(/hidden/)
  const next = await page(ctxOf(viewer), { project_id: owner.projectId, cursor: first.next_cursor })
  expect(next).toMatchObject({ data: [{ conversation_id: 'shared' }], has_more: false, next_cursor: null })
})

test('security 27: a page that ends in a namespace which the key may not read tells nothing of it', async () => {
  const user = await newWriter()
  const old = { content: 'x', timestamp: '2001-01-01T00:00:00Z' }
  await ingest(user, { id: 'open', turns: [old], more: { context: { namespace: 'a' } } })
  const foreign = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`foreign-${n}`, 1]))
  await fill(user, foreign, { context: { namespace: 'customers:grace' } })
  const permissions = [{ project_id: user.projectId, access: 'read' as const, namespaces: ['a'] }]
  const limited = ctxOf(user, { permissions })
  const first = await page(limited, { namespace: '*' })
  expect(first).toMatchObject({ data: [], has_more: true })
  expect(decodedCursor(first.next_cursor)).not.toMatch(/foreign|customers|grace/)
  const next = await page(limited, { namespace: '*', cursor: first.next_cursor })
  expect(next).toMatchObject({ data: [{ conversation_id: 'open' }], has_more: false, next_cursor: null })
})

test('a page of few reads few', async () => {
  const user = await newWriter()
  await fill(user, Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`s${n + 10}`, 20])))
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  expect((await page({ ...ctxOf(user), db: db.metered(meter) }, { limit: 2 })).data).toHaveLength(2)
  expect(meter.rowsRead).toBeLessThan(300)
})

test('of a conversation 1,001 turns are looked at, however many are hidden, and no notes; its ends are found', async () => {
  const owner = await newWriter()
  const viewer = ctxOf({ ...(await addMember(owner, 'viewer')), projectId: owner.projectId })
  const look = async () => {
    const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    const { data } = await page({ ...viewer, db: db.metered(meter) }, { project_id: owner.projectId })
    return { data, rowsRead: meter.rowsRead }
  }
  const hidden = { visibility: 'private' }
  await ingest(owner, { id: 'model', turns: [{ content: 'a model', timestamp: day(1) }], more: hidden })
  await ingest(owner, { id: 'a', turns: [1, 2] })
  const { data: alone, rowsRead: few } = await look()
  expect(alone).toMatchObject([{ conversation_id: 'a', turns: 2, first_at: day(1), last_at: day(2) }])
  await fill(owner, { a: 6_000 }, hidden)
  const among = await look()
  expect(among.data).toMatchObject([{ conversation_id: 'a', turns_truncated: true, first_at: day(1) }])
  // An entry of the index and a row of each turn counted, and of as many items at either end.
  expect(among.rowsRead).toBeLessThan(few + 7 * 1_001)
  const last = { content: 'the last', timestamp: '2100-01-01T00:00:00.000Z' }
  await ingest(owner, { id: 'a', turns: [last] })
  expect((await look()).data).toMatchObject([{ first_at: day(1), last_at: last.timestamp, first_line: 'a of 1' }])
  await db.write(
    `delete from memory_turns where item_row in (select row from memory_items where project_id = :project and text = 'copy')`,
    { project: owner.projectId },
  )
  await db.write(`update memory_items set role = null where project_id = :project and text = 'copy'`, {
    project: owner.projectId,
  })
  const besideNotes = await look()
  expect(besideNotes.data).toEqual([{ ...alone[0], turns: 3, last_at: last.timestamp }])
  expect(besideNotes.rowsRead).toBeLessThan(few + 10)
})
