/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import type { Meter } from '../../../src/core/database/meter.ts'
import { list, ListInput } from '../../../src/memory/operations/list.ts'
import { ListSubjects, subjects } from '../../../src/memory/operations/subjects.ts'
import { travel } from '../../support/clock.ts'
import { decodedCursor } from '../../support/decoded-cursor.ts'
import { newWriter } from '../../support/memory.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { addKey, addMember, call, db, newTenant } from '../../support/world.ts'

const page = (ctx: AuthContext, query: Record<string, unknown> = {}) => subjects(ctx, ListSubjects.parse(query))
const names = async (ctx: AuthContext, query: Record<string, unknown> = {}): Promise<string[]> =>
  (await page(ctx, query)).data.map(({ subject }) => subject)
const at = (subject: string, more: object = {}) => ({ context: { subject, ...more } })

/** Copies of the item `:model` about each subject, as many as it says. */
const COPIES = `
  insert into memory_items (id, tenant_id, project_id, namespace, scope, text_hash, type, visibility, version,
    text_version, text_by, text_at, vector_version, write_id, embedding_status, next_attempt_at, created_by, updated_by,
    created_at, updated_at, tags, metadata, text, subject, indexed_by, indexed_version)
  select i.id || '_' || n.key, i.tenant_id, i.project_id, i.namespace, i.scope, i.text_hash, i.type, i.visibility,
    1, 1, i.text_by, i.text_at, 1, i.write_id, 'completed', i.next_attempt_at, i.created_by, i.updated_by,
    i.created_at - 1 - n.key, i.updated_at, '[]', '{}', 'copy', n.value, 2, 1
  from json_each(:copies) n cross join memory_items i where i.id = :model`

async function fill(
  ctx: AuthContext,
  counts: Record<string, number>,
  more: Record<string, unknown> = {},
): Promise<void> {
  const model = await stored(ctx, 'a model', more)
  const copies = Object.entries(counts).flatMap(([subject, count]) => Array.from({ length: count }, () => subject))
  await db.write(COPIES, { model: model.id, copies: JSON.stringify(copies) })
}

test('contract §3: the subjects of one project, by name, with the number of their items', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'one', ...at('Grace') })
  await user.store({ content: 'x' })
  for (const subject of ['ada:2', 'Ada', 'ada', '🫖']) await user.store({ content: 'x', ...at(subject) })
  travel(5_000)
  const { body: later } = await user.store({ content: 'two', ...at('Grace', { namespace: 'n' }) })
  const first = await user.send('GET', '/v1/memory/subjects?limit=2')
  expect(first.body).toMatchObject({ data: [{ subject: 'Ada', items: 1 }, { subject: 'Grace' }], has_more: true })
  expect(first.body.data[1]).toEqual({ subject: 'Grace', items: 2, last_write_at: later.updated_at })
  const next = await user.send('GET', `/v1/memory/subjects?limit=3&cursor=${first.body.next_cursor}`)
  expect(next.body).toMatchObject({
    data: [{ subject: 'ada' }, { subject: 'ada:2' }, { subject: '🫖' }],
    has_more: false,
    next_cursor: null,
  })
  travel(5_000)
  const { body: changed } = await user.send('PATCH', `/v1/memory/items/${item.id}`, { tags: ['t'] })
  const { body: grace } = await user.send('GET', '/v1/memory/subjects?prefix=G')
  expect(grace.data).toEqual([{ subject: 'Grace', items: 2, last_write_at: changed.updated_at }])
})

test('contract §3: status tells which items count, and a subject without one is left out', async () => {
  const user = await newWriter()
  const stores = ['Ada', 'Ada', 'Grace', 'Lin'].map((subject) => user.store({ content: 'x', ...at(subject) }))
  const [first, , grace] = await Promise.all(stores)
  for (const stored of [first, grace]) await user.send('POST', `/v1/memory/items/${stored?.body.id}/retire`)
  const counts = async (query: string) =>
    (await user.send('GET', `/v1/memory/subjects?${query}`)).body.data.map(
      ({ subject, items }: { subject: string; items: number }) => [subject, items],
    )
  expect(await counts('')).toEqual([
    ['Ada', 1],
    ['Lin', 1],
  ])
  expect(await counts('status=retired')).toEqual([
    ['Ada', 1],
    ['Grace', 1],
  ])
  expect(await counts('status=any')).toEqual([
    ['Ada', 2],
    ['Grace', 1],
    ['Lin', 1],
  ])
  expect((await user.send('GET', '/v1/memory/subjects?status=gone')).status).toBe(422)
})

test('a prefix is how a subject begins, and pages go on within it', async () => {
  const ctx = ctxOf(await newTenant())
  for (const subject of ['a', 'ab', 'ab%', 'abc', 'ac', 'b']) await stored(ctx, 'x', at(subject))
  expect(await names(ctx, { prefix: 'ab' })).toEqual(['ab', 'ab%', 'abc'])
  expect(await names(ctx, { prefix: 'ab%' })).toEqual(['ab%'])
  expect(await names(ctx, { prefix: 'c' })).toEqual([])
  const first = await page(ctx, { prefix: 'ab', limit: 2 })
  expect(first.has_more).toBe(true)
  expect(await page(ctx, { prefix: 'ab', limit: 2, cursor: first.next_cursor })).toMatchObject({
    data: [{ subject: 'abc' }],
    has_more: false,
  })
})

test('it counts what lives and what the caller may read, and shows nothing else', async () => {
  const owner = await newTenant()
  const editor = ctxOf(await addMember(owner, 'editor'))
  const viewer = ctxOf({ ...(await addMember(owner, 'viewer')), projectId: owner.projectId })
  const there = { project_id: owner.projectId }
  await stored(editor, 'x', { ...at('hidden', there), visibility: 'private' })
  await stored(editor, 'x', { ...at('Ada', there), visibility: 'private' })
  await stored(editor, 'y', at('Ada', there))
  await stored(editor, 'z', { ...at('brief', there), ttl: 60 })
  expect((await page(viewer, there)).data).toMatchObject([
    { subject: 'Ada', items: 1 },
    { subject: 'brief', items: 1 },
  ])
  expect((await page(editor, there)).data).toMatchObject([{ items: 2 }, { items: 1 }, { subject: 'hidden', items: 1 }])
  travel(61_000)
  expect(await names(viewer, there)).toEqual(['Ada'])
})

test('security 27: a key that is limited to namespaces counts those of them alone', async () => {
  const user = await newWriter()
  for (const namespace of ['a', 'a', 'b', 'c']) await user.store({ content: namespace, ...at('Ada', { namespace }) })
  await user.store({ content: 'x', ...at('Grace', { namespace: 'c' }) })
  const permissions = [{ project_id: user.projectId, access: 'read' as const, namespaces: ['a', 'b'] }]
  const { secret: key } = await addKey(user, { permissions, scopes: ['read:memory'] })
  const { body } = await call('GET', '/v1/memory/subjects', { key })
  expect(body.data).toMatchObject([{ subject: 'Ada', items: 3 }])
})

test('security 26: the subjects of another tenant’s project are the 404 of one that never existed', async () => {
  const [user, stranger] = [await newWriter(), await newWriter()]
  await user.store({ content: 'x', ...at('secret') })
  const there = await stranger.send('GET', `/v1/memory/subjects?project_id=${user.projectId}`)
  const nowhere = await stranger.send('GET', `/v1/memory/subjects?project_id=prj_${'0'.repeat(26)}`)
  expect([there.status, nowhere.status]).toEqual([404, 404])
  expect({ ...there.body, request_id: '' }).toEqual({ ...nowhere.body, request_id: '' })
  expect((await stranger.send('GET', '/v1/memory/subjects?prefix=secret')).body.data).toEqual([])
})

test.each(['prefix=', 'prefix=a%0Ab', `prefix=${'a'.repeat(257)}`, 'limit=101', 'cursor=x', 'subject=a'])(
  '422: %s',
  async (query) => {
    const user = await newWriter()
    expect((await user.send('GET', `/v1/memory/subjects?${query}`)).status).toBe(422)
  },
)

test('contract §3: items are counted up to 1,000, and a page looks at 20,000', async () => {
  const ctx = ctxOf(await newTenant())
  const large = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`s${n + 10}`, 1_100]))
  await fill(ctx, { a: 1_000, b: 1_001, ...large })
  const [a, b] = (await page(ctx, { limit: 2 })).data
  expect(a).toMatchObject({ subject: 'a', items: 1_000 })
  expect(a).not.toHaveProperty('items_truncated')
  expect(b).toMatchObject({ subject: 'b', items: 1_000, items_truncated: true })
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const found: string[] = []
  let pages = 0
  for (let cursor: string | null | undefined; cursor !== null; pages++) {
    const before = meter.rowsRead
    const part = await page({ ...ctx, db: db.metered(meter) }, { limit: 100, ...(cursor ? { cursor } : {}) })
    // Of each item its entry in the index, twice, and its row.
    expect(meter.rowsRead - before).toBeLessThan(3.2 * 21_000)
    found.push(...part.data.map(({ subject }) => subject))
    cursor = part.next_cursor
  }
  expect([pages, meter.roundTrips]).toEqual([2, 2])
  expect(found).toEqual(['a', 'b', ...Object.keys(large)])
})

test('a page of few reads few', async () => {
  const ctx = ctxOf(await newTenant())
  await fill(ctx, Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`s${n + 10}`, 20])))
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  expect(await names({ ...ctx, db: db.metered(meter) }, { limit: 2 })).toEqual(['s10', 's11'])
  expect(meter.rowsRead).toBeLessThan(250)
})

test('a list of one subject reads along its index: no other items, and none that is no longer current', async () => {
  const ctx = ctxOf(await newTenant())
  await fill(ctx, { a: 400, b: 400 })
  const rowsRead = async () => {
    const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    const { data } = await list({ ...ctx, db: db.metered(meter) }, ListInput.parse({ subject: 'a', limit: 5 }))
    expect(data.map(({ context }) => context.subject)).toEqual(Array.from({ length: 5 }, () => 'a'))
    return meter.rowsRead
  }
  const before = await rowsRead()
  // Of 800 items it reads the six that a page of five asks for, a few times each.
  expect(before).toBeLessThan(60)
  // As retired items have it.
  await db.write(
    `update memory_items set deleted_at = 1 where row in (select row from memory_items
       where project_id = :project and subject = 'a' order by created_at desc limit 300)`,
    { project: ctx.principal.defaultProjectId },
  )
  expect(await rowsRead()).toBe(before)
})

test.each([
  { status: 'current', retired: '0' },
  { status: 'retired', retired: '1' },
  { status: 'any', retired: "text = 'the oldest' or row % 3 = 0" },
])(
  'hidden $status items of a subject are passed by in pages, and none that is behind them is missed',
  async ({ status, retired }) => {
    const owner = await newTenant()
    const editor = ctxOf(await addMember(owner, 'editor'))
    const viewer = ctxOf({ ...(await addMember(owner, 'viewer')), projectId: owner.projectId })
    const there = { project_id: owner.projectId }
    await stored(editor, 'the oldest', at('m', there))
    travel(10_000)
    await fill(editor, { m: 2_500 }, { ...at('m', there), visibility: 'private' })
    await stored(editor, 'x', at('z', there))
    // Many of them at the same instant, as an import does.
    await db.write(
      `update memory_items set deleted_at = created_at / 100 + 1, retired_at = created_at / 100 + 1
     where project_id = :project and subject is not null and (${retired})`,
      { project: owner.projectId },
    )
    const found: unknown[] = []
    let pages = 0
    for (let cursor: string | null | undefined; cursor !== null; pages++) {
      const part = await page(viewer, { ...there, status, ...(cursor ? { cursor } : {}) })
      found.push(...part.data)
      cursor = part.next_cursor
    }
    expect(found).toMatchObject([
      { subject: 'm', items: 1 },
      { subject: 'z', items: 1 },
    ])
    expect(pages).toBe(3)
  },
)

test('security 27: a page that ends at a hidden subject, or within one, tells neither its name nor an id', async () => {
  const owner = await newTenant()
  const editor = ctxOf(await addMember(owner, 'editor'))
  const viewer = ctxOf({ ...(await addMember(owner, 'viewer')), projectId: owner.projectId })
  const there = { project_id: owner.projectId }
  const hidden = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`hidden-${n}`, 1]))
  await fill(editor, { ...hidden, 'hidden-x': 1_100 }, { ...at('hidden', there), visibility: 'private' })
  await stored(editor, 'x', at('z', there))
  const within = await page(viewer, { ...there, prefix: 'hidden-x' })
  const pages = [await page(viewer, there)]
  for (let last = pages[0]; last?.has_more; pages.push(last))
    last = await page(viewer, { ...there, cursor: last.next_cursor ?? '' })
  const stopped = [within, ...pages.slice(0, -1)]
  expect(stopped).toHaveLength(3)
  for (const { data, next_cursor } of stopped) {
    expect(data).toEqual([])
    expect(decodedCursor(next_cursor)).not.toMatch(/hidden|mem_[0-9A-Z]{4}/)
  }
  expect(pages.at(-1)).toMatchObject({ data: [{ subject: 'z', items: 1 }], has_more: false })
})
