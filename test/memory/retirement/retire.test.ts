import { expect, test } from 'vitest'
import { travel } from '../../support/clock.ts'
import { auditOf } from '../../support/audit.ts'
import { addKey, addMember, call, db } from '../../support/world.ts'
import { newWriter, writerFor, type Writer } from '../../support/memory.ts'

const retire = (user: Writer, id: string, body?: unknown, headers?: Record<string, string>) =>
  user.send('POST', `/v1/memory/items/${id}/retire`, body, headers)
const restore = (user: Writer, id: string, headers?: Record<string, string>) =>
  user.send('POST', `/v1/memory/items/${id}/restore`, undefined, headers)
const found = async (user: Writer, query: string): Promise<string[]> =>
  (await user.send('POST', '/api/memory/search', { query, mode: 'keyword' })).body.results.map(
    (item: { id: string }) => item.id,
  )
const listed = async (user: Writer, query = ''): Promise<string[]> =>
  (await user.send('GET', `/v1/memory/items${query}`)).body.data.map((item: { id: string }) => item.id)

test('contract §3: a retired item is found by its id alone, and a restore gives back all that it held', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({
    content: { text: 'The office is in Lisbon.', metadata: { source: 'chat' } },
    tags: ['office'],
    custom_id: 'office',
  })
  await user.send('PATCH', `/v1/memory/items/${item.id}`, { content: 'The office is in Porto.' })
  expect(item).toMatchObject({ status: 'current' })
  expect(item).not.toHaveProperty('retired_at')

  const retired = await retire(user, item.id, { reason: 'moved' })
  expect(retired.status).toBe(200)
  expect(retired.headers.get('etag')).toContain('"3-')
  const facts = { status: 'retired', retired_reason: 'moved', superseded_by: null, version: 3, tags: ['office'] }
  expect(retired.body).toMatchObject({ id: item.id, ...facts })
  expect(retired.body.retired_at).toBe(retired.body.updated_at)
  expect((await user.get(item.id)).body).toEqual(retired.body)
  expect(await found(user, 'Porto')).toEqual([])
  expect(await listed(user)).toEqual([])
  expect(await listed(user, '?q=Porto')).toEqual([])
  const { body: versions } = await user.send('GET', `/v1/memory/items/${item.id}/versions`)
  expect(versions.data).toMatchObject([{ version: 1, text: 'The office is in Lisbon.' }])

  const restored = await restore(user, item.id)
  expect(restored.status).toBe(200)
  expect(restored.body).toMatchObject({
    content: { text: 'The office is in Porto.', metadata: { source: 'chat' } },
    tags: ['office'],
    custom_id: 'office',
    status: 'current',
    embedding_status: 'pending',
    version: 4,
  })
  expect(restored.body).not.toHaveProperty('retired_reason')
  expect(await found(user, 'Porto')).toEqual([item.id])
  expect(await listed(user, '?q=Porto&tags=office')).toEqual([item.id])
})

test('a retired item takes neither a change nor an embedding, and is deleted like any other', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'stale' })
  await retire(user, item.id)
  for (const [method, path, body] of [
    ['PATCH', '', { tags: ['a'] }],
    ['POST', '/embed', undefined],
  ] as const) {
    const refused = await user.send(method, `/v1/memory/items/${item.id}${path}`, body)
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 409, code: 'conflict' })
    expect(refused.body.detail).toContain('restore it first')
  }
  expect((await retire(user, item.id)).status).toBe(409)
  expect((await user.send('DELETE', `/v1/memory/items/${item.id}`)).status).toBe(204)
  expect((await user.get(item.id)).status).toBe(404)
  expect((await restore(user, item.id)).status).toBe(404)
  const row = await db.first('select * from memory_items where id = :id', { id: item.id })
  expect(row).toMatchObject({ text: '', retired_at: null, retired_reason: null, vectors_purged_at: null })
  const { body: current } = await user.store({ content: 'current' })
  expect((await restore(user, current.id)).status).toBe(409)
})

test('retire and restore are refused as a change is: 404 hidden, 403 not writable, 412 another version, 422', async () => {
  const owner = await newWriter()
  const viewer = await writerFor(await addMember(owner, 'viewer'))
  const stranger = await newWriter()
  const { body: item } = await owner.store({ content: 'ours' })
  const { body: hidden } = await owner.store({ content: 'mine', visibility: 'private' })
  for (const change of [retire, restore]) {
    expect((await change(stranger, item.id)).status).toBe(404)
    expect((await change(viewer, hidden.id)).status).toBe(404)
    expect((await change(viewer, item.id)).status).toBe(403)
  }
  expect((await retire(owner, item.id, {}, { 'If-Match': '"2"' })).status).toBe(412)
  expect((await retire(owner, item.id, { reason: '' })).status).toBe(422)
  expect((await retire(owner, item.id, { reason: 'r'.repeat(257) })).status).toBe(422)
  expect((await retire(owner, item.id, { because: 'x' })).status).toBe(422)
  expect((await retire(owner, item.id, { reason: 'ř'.repeat(256) }, { 'If-Match': '"1"' })).status).toBe(200)
  expect((await restore(owner, item.id, { 'If-Match': '"1"' })).status).toBe(412)
  expect((await restore(owner, item.id, { 'If-Match': '"2"' })).status).toBe(200)
})

test('contract §2: a key without read:memory sees the short form of what it retires', async () => {
  const user = await newWriter()
  const key = await addKey(user, { scopes: ['write:memory'] })
  const { body: item } = await user.store({ content: 'unseen' })
  const retired = await call('POST', `/v1/memory/items/${item.id}/retire`, {
    headers: { 'X-API-Key': key.secret },
    body: { reason: 'unseen too' },
  })
  expect(Object.keys(retired.body).toSorted()).toEqual(
    ['created_at', 'embedding_status', 'id', 'status', 'updated_at', 'version'].toSorted(),
  )
})

test('contract §5: retiring and restoring are memory.updated with a change, and each has its audit row', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'news' })
  const retired = await retire(user, item.id)
  const restored = await restore(user, item.id)
  const events = await db.all<{ type: string; data: string }>(
    'select type, data from events where tenant_id = :tenant order by id',
    { tenant: user.tenantId },
  )
  const told = events.map(({ type, data }) => ({ type, ...JSON.parse(data) }))
  expect(told.map(({ type, version, change }) => [type, version, change])).toEqual([
    ['memory.created', 1, undefined],
    ['memory.updated', 2, 'retired'],
    ['memory.updated', 3, 'restored'],
  ])
  expect(told[1]).not.toHaveProperty('superseded_by')
  for (const [answer, action] of [
    [retired, 'memory.retire'],
    [restored, 'memory.restore'],
  ] as const) {
    const rows = await auditOf(answer.headers.get('x-request-id') ?? '')
    expect(rows).toMatchObject([{ action, outcome: 'success', resource_ids: [item.id] }])
  }
})

test('a batch retires and restores, and its later operations see it', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'in a batch' })
  const answer = await user.send('POST', '/api/memory/batch', {
    operations: [
      { op: 'retire', id: item.id, reason: 'first' },
      { op: 'update', id: item.id, tags: ['a'] },
      { op: 'retrieve', id: item.id },
      { op: 'restore', id: item.id },
      { op: 'update', id: item.id, content: 'in a batch, changed' },
      { op: 'retire', id: item.id },
    ],
  })
  const results = answer.body.results.map((result: any) => result.item?.status ?? result.error.code)
  expect(results).toEqual(['retired', 'conflict', 'retired', 'current', 'current', 'retired'])
  expect((await user.get(item.id)).body).toMatchObject({
    content: { text: 'in a batch, changed' },
    status: 'retired',
    retired_reason: null,
    version: 5,
  })
  const { body: atomic } = await user.send('POST', '/api/memory/batch', {
    atomic: true,
    operations: [
      { op: 'restore', id: item.id },
      { op: 'delete', id: 'mem_none' },
    ],
  })
  expect(atomic.code).toBe('validation_failed')
  expect((await user.get(item.id)).body).toMatchObject({ status: 'retired', version: 5 })
  travel(1_000)
  const back = await user.send('POST', '/api/memory/batch', {
    atomic: true,
    operations: [
      { op: 'restore', id: item.id },
      { op: 'retrieve', id: item.id },
    ],
  })
  expect(back).toMatchObject({ status: 200, body: { success_count: 2 } })
  expect(back.body.results[1].item).toMatchObject({ status: 'current', version: 6 })
  expect(await found(user, 'changed')).toEqual([item.id])
})

test('a retired item counts in quota and usage, and in no keyword score', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'one two three' })
  await user.store({ content: 'four five' })
  const counts = () =>
    db.first('select items, words, retired from project_words where project_id = :project', { project: user.projectId })
  const classes = () =>
    db.all('select items, words from memory_classes where project_id = :project', { project: user.projectId })
  expect(await counts()).toEqual({ items: 2, words: 5, retired: 0 })
  await retire(user, item.id)
  expect(await counts()).toEqual({ items: 1, words: 2, retired: 1 })
  expect(await classes()).toEqual([{ items: 1, words: 2 }])
  expect((await user.send('GET', '/v1/usage')).body.items.used).toBe(2)
  await restore(user, item.id)
  expect(await counts()).toEqual({ items: 2, words: 5, retired: 0 })
  expect(await classes()).toEqual([{ items: 2, words: 5 }])
  await retire(user, item.id)
  await user.send('DELETE', `/v1/memory/items/${item.id}`)
  expect(await counts()).toEqual({ items: 1, words: 2, retired: 0 })
  expect((await user.send('GET', '/v1/usage')).body.items.used).toBe(1)
})
