import { expect, test } from 'vitest'
import type { Meter } from '../../../src/core/database/meter.ts'
import { list, ListInput } from '../../../src/memory/operations/list.ts'
import { merged } from '../../../src/memory/retirement/scan-statuses.ts'
import { addKey, call, db } from '../../support/world.ts'
import { travel } from '../../support/clock.ts'
import { newWriter, type Writer } from '../../support/memory.ts'
import { ctxOf } from '../../support/search.ts'

/** Items of both statuses by turns, oldest first, in two namespaces. */
async function newMixed(count: number): Promise<{ user: Writer; ids: string[] }> {
  const user = await newWriter()
  const operations = Array.from({ length: count }, (_, n) => ({
    op: 'store',
    content: `text ${n}`,
    tags: [n % 3 === 0 ? 'third' : 'other'],
    context: { namespace: n % 4 < 2 ? 'default' : 'side' },
  }))
  const { body } = await user.send('POST', '/api/memory/batch', { operations })
  const ids: string[] = body.results.map((result: any) => result.id)
  travel(1_000)
  const retired = ids.filter((_, n) => n % 2 === 1).map((id) => ({ op: 'retire', id, reason: 'odd' }))
  await user.send('POST', '/api/memory/batch', { operations: retired })
  return { user, ids }
}

async function pagesOf(user: Writer, query: string): Promise<string[]> {
  const found: string[] = []
  for (let cursor = ''; ;) {
    travel(1_000)
    const { body } = await user.send('GET', `/v1/memory/items?${query}${cursor}`)
    found.push(...body.data.map((item: any) => item.id))
    if (!body.has_more) return found
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
}

test('contract §3: status lists current items, retired ones, or both, in every order and through all pages', async () => {
  const { user, ids } = await newMixed(24)
  const current = ids.filter((_, n) => n % 2 === 0)
  const retired = ids.filter((_, n) => n % 2 === 1)
  const all = 'namespace=*&sort=created_at&limit=5'
  expect(await pagesOf(user, all)).toEqual(current)
  expect(await pagesOf(user, `${all}&status=current`)).toEqual(current)
  expect(await pagesOf(user, `${all}&status=retired`)).toEqual(retired)
  expect(await pagesOf(user, `${all}&status=any`)).toEqual(ids)
  expect(await pagesOf(user, 'namespace=*&status=any&limit=7')).toEqual(ids.toReversed())
  expect(await pagesOf(user, 'namespace=*&status=any&limit=7&sort=-occurred_at')).toEqual(ids.toReversed())
  const ofSide = (_: string, n: number) => n % 4 >= 2
  expect(await pagesOf(user, 'namespace=side&status=any&limit=2')).toEqual(ids.filter(ofSide).toReversed())
  const several = 'namespaces=side&namespaces=default&sort=created_at&limit=3'
  expect(await pagesOf(user, `${several}&status=retired`)).toEqual(retired)
  expect(await pagesOf(user, 'namespace_prefix=side&sort=created_at&status=retired&limit=3')).toEqual(
    retired.filter((id) => ids.indexOf(id) % 4 >= 2),
  )
  expect(await pagesOf(user, `${all}&status=any&tags=third`)).toEqual(ids.filter((_, n) => n % 3 === 0))
  const { body } = await user.send('GET', '/v1/memory/items?status=retired&limit=1')
  expect(body.data[0]).toMatchObject({ status: 'retired', retired_reason: 'odd', superseded_by: null })
})

test('q and search know current items alone: a status is 422', async () => {
  const user = await newWriter()
  for (const status of ['retired', 'any', 'gone'])
    expect((await user.send('GET', `/v1/memory/items?q=x&status=${status}`)).status).toBe(422)
  expect((await user.send('POST', '/api/memory/search', { query: 'x', status: 'any' })).status).toBe(422)
})

test('a bulk deletion deletes the items of the status that it names', async () => {
  const { user } = await newMixed(8)
  const remove = (body: object) => user.send('POST', '/v1/memory/delete', { context: { namespace: '*' }, ...body })
  const counted = async (status: string) => (await remove({ filters: {}, status, dry_run: true })).body.deleted
  expect([await counted('current'), await counted('retired'), await counted('any')]).toEqual([4, 4, 8])
  expect((await remove({ filters: { tags: ['third'] }, status: 'retired' })).body).toEqual({
    deleted: 1,
    has_more: false,
  })
  expect([await counted('current'), await counted('retired')]).toEqual([4, 3])
  expect((await remove({ filters: {} })).body.deleted).toBe(4)
  expect((await remove({ filters: {}, status: 'any' })).body.deleted).toBe(3)
  const left = await db.all('select 1 from memory_items where tenant_id = :tenant and text <> :none', {
    tenant: user.tenantId,
    none: '',
  })
  expect(left).toEqual([])
  const key = await addKey(user, { scopes: ['write:memory'] })
  const asked = await call('POST', '/v1/memory/delete', {
    headers: { 'X-API-Key': key.secret },
    body: { filters: {}, status: 'retired' },
  })
  expect(asked.body.code).toBe('insufficient_scope')
})

test('an export has the three fields, and its import brings retired items back as retired', async () => {
  const user = await newWriter()
  const { body: old } = await user.store({ content: 'old', custom_id: 'o', tags: ['t'] })
  await user.store({ content: 'new', custom_id: 'n', supersedes: [old.id], supersede_reason: 'outdated' })
  const exported = async (query: string): Promise<any[]> => {
    const { text } = await user.send('GET', `/v1/memory/export${query}`)
    return text
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }
  expect((await exported('')).map((item) => item.content.text)).toEqual(['new'])
  const lines = await exported('?status=any')
  expect(lines[0]).toMatchObject({ status: 'retired', retired_reason: 'outdated', custom_id: 'o' })
  const { body: project } = await user.send('POST', '/api/projects', { name: 'Copy', workspace_id: user.workspaceId })
  const send = (some: any[]) =>
    call('POST', `/v1/memory/import?project_id=${project.id}`, {
      headers: { ...user.headers, 'Content-Type': 'application/x-ndjson' },
      raw: some.map((line) => JSON.stringify(line)).join('\n'),
    })
  expect((await send(lines)).body).toMatchObject({ created: 2, failed: 0 })
  const listed = async (status: string) =>
    (await user.send('GET', `/v1/memory/items?project_id=${project.id}&status=${status}`)).body.data
  const [copy] = await listed('retired')
  expect(copy).toMatchObject({
    content: { text: 'old' },
    tags: ['t'],
    retired_at: lines[0].retired_at,
    retired_reason: 'outdated',
    superseded_by: null,
    version: 1,
  })
  expect((await listed('current')).map((item: any) => item.content.text)).toEqual(['new'])
  // Importing it again, also as if it had not been retired, brings no wrong fact back.
  const { status: _status, retired_at: _at, retired_reason: _reason, ...asCurrent } = lines[0]
  expect((await send([...lines, asCurrent])).body).toMatchObject({ created: 0, updated: 3, failed: 0 })
  expect((await listed('retired')).map((item: any) => item.id)).toEqual([copy.id])
  const restored = await user.send('POST', `/v1/memory/items/${copy.id}/restore`)
  expect(restored.body).toMatchObject({ content: { text: 'old' }, tags: ['t'], status: 'current' })
  const { body: found } = await user.send('POST', '/api/memory/search', {
    query: 'old',
    mode: 'keyword',
    context: { project_id: project.id },
  })
  expect(found.results.map((item: any) => item.id)).toEqual([copy.id])
  const wrong = [
    { content: 'x', retired_at: '2999-01-01T00:00:00Z' },
    { content: 'x', retired_at: '2020-01-01T00:00:00Z', retired_reason: 7 },
  ]
  expect((await send(wrong)).body).toMatchObject({ created: 0, failed: 2 })
})

test('a page of both statuses ends where the first of the two scans has ended', () => {
  const row = (at: number) => ({ at, id: `mem_${at}` })
  const ended = { rows: [row(1), row(4)], stoppedAt: [5, 'mem_5'] as const, filledAt: null }
  const whole = { rows: [row(2), row(6), row(7)], stoppedAt: null, filledAt: null }
  const page = merged([ended, whole], { ascending: true, wanted: 10 })
  expect(page).toEqual({ rows: [row(1), row(2), row(4)], stoppedAt: [5, 'mem_5'], filledAt: null })
  expect(merged([whole, ended], { ascending: true, wanted: 2 }).rows).toEqual([row(1), row(2)])
  const descending = { rows: [row(7), row(6)], stoppedAt: null, filledAt: [6, 'mem_6'] as const }
  expect(
    merged([descending, { ...ended, rows: [row(9), row(5)], stoppedAt: null }], { ascending: false, wanted: 10 }).rows,
  ).toEqual([row(9), row(7), row(6)])
})

test('both statuses are read at one instant, so an item that changes its own is in the list once', async () => {
  const { user } = await newMixed(8)
  const roundTrips = async (status: 'retired' | 'any') => {
    const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    const ctx = ctxOf(user, { db: db.metered(meter) })
    const { data } = await list(ctx, ListInput.parse({ namespace: '*', status }))
    return { found: data.length, roundTrips: meter.roundTrips }
  }
  const retired = await roundTrips('retired')
  expect(retired.found).toBe(4)
  expect(await roundTrips('any')).toEqual({ found: 8, roundTrips: retired.roundTrips })
})
