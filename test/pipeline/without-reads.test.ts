/** @module-tag shards */
import { expect, test } from 'vitest'
import { SCOPES, type Scope } from '../../src/core/context.ts'
import { etagOf } from '../../src/memory/etag.ts'
import { travel } from '../support/clock.ts'
import { newReceiver } from '../support/receiver.ts'
import { newWriter, type Writer } from '../support/memory.ts'
import { deliveriesOf, subscribe, settled } from '../support/webhooks.ts'
import { addKey, addMember, call } from '../support/world.ts'

/** A caller with these scopes, with a new key for each request. */
const only =
  (owner: Writer, ...scopes: Scope[]) =>
  async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    // A second for each request, so that no limit is met.
    travel(1_000)
    const { secret: key } = await addKey(owner, { scopes })
    return call(method, path, { key, headers, ...(body === undefined ? {} : { body }) })
  }

const SHORT = ['id', 'version', 'status', 'created_at', 'updated_at', 'embedding_status']
const fieldsOf = (body: object) => Object.keys(body).sort()

test('contract §2: a write to an item that was there answers its short form and its ETag to who may not read it', async () => {
  const owner = await newWriter()
  const { body: item } = await owner.store({ content: 'one', custom_id: 'c' })
  const send = only(owner, 'write:memory')
  const answers = [
    await send('PATCH', `/v1/memory/items/${item.id}`, {}),
    await send('POST', '/api/memory/store', { content: 'two', custom_id: 'c' }),
    await send('POST', `/v1/memory/items/${item.id}/embed`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 202])
  for (const { body, headers } of answers) {
    expect(fieldsOf(body)).toEqual([...SHORT].sort())
    expect(headers.get('etag')).toBe(etagOf(body))
  }
  expect(answers.map(({ body }) => body.version)).toEqual([2, 3, 3])
  // The tag is good for the next change.
  const tag = { 'If-Match': answers[1]?.headers.get('etag') ?? '' }
  expect((await send('PATCH', `/v1/memory/items/${item.id}`, {}, tag)).status).toBe(200)
  expect((await send('PATCH', `/v1/memory/items/${item.id}`, {}, tag)).status).toBe(412)
})

test('contract §2: a write that creates answers the whole resource, and with both scopes every write does', async () => {
  const owner = await newWriter()
  const write = only(owner, 'write:memory', 'write:projects', 'write:events')
  const created = [
    await write('POST', '/api/memory/store', { content: 'one', custom_id: 'c' }),
    await write('POST', '/api/memory/store', { content: 'two', wait_ms: 10 }),
    await write('POST', '/api/projects', { name: 'p', workspace_id: owner.workspaceId }),
    await write('POST', '/v1/workspaces', { name: 'w' }),
  ]
  expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  expect(created.map(({ body }) => body.content?.text ?? body.name)).toEqual(['one', 'two', 'p', 'w'])
  const both = only(owner, 'write:memory', 'read:memory')
  const changed = await both('POST', '/api/memory/store', { content: 'three', custom_id: 'c' })
  expect(changed).toMatchObject({ status: 200, body: { content: { text: 'three' }, custom_id: 'c' } })
})

test('contract §1, §2: a replay answers the short form once the read scope is gone', async () => {
  const owner = await newWriter()
  const key = { 'Idempotency-Key': 'k' }
  const first = await only(owner, ...SCOPES)('POST', '/api/memory/store', { content: 'one' }, key)
  const again = await only(owner, 'write:memory')('POST', '/api/memory/store', { content: 'one' }, key)
  expect(again.status).toBe(201)
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect(again.body).toEqual(Object.fromEntries(SHORT.map((field) => [field, first.body[field]])))
  const project = { name: 'p', workspace_id: owner.workspaceId }
  const { body } = await only(owner, ...SCOPES)('POST', '/api/projects', project, key)
  const replayed = await only(owner, 'write:projects')('POST', '/api/projects', project, key)
  expect(replayed).toMatchObject({ status: 201 })
  expect(replayed.body).toEqual({ id: body.id, created_at: body.created_at, updated_at: body.updated_at })
})

test('contract §2: in a batch each item is whole or short by itself, and a replay has short ones', async () => {
  const owner = await newWriter()
  const { body: item } = await owner.store({ content: 'stored', custom_id: 'c' })
  const operations = [
    { op: 'store', content: 'new' },
    { op: 'store', content: 'changed', custom_id: 'c' },
    { op: 'update', id: item.id },
    { op: 'retrieve', id: item.id },
    { op: 'store', content: 'new', deduplicate: true },
    { op: 'store', content: 'new too', deduplicate: false },
  ]
  const send = only(owner, 'write:memory')
  const key = { 'Idempotency-Key': 'k' }
  const { body } = await send('POST', '/api/memory/batch', { operations }, key)
  expect(body.results.map((one: any) => one.item?.content?.text ?? one.item?.version ?? one.error)).toEqual([
    'new',
    2,
    3,
    { status: 403, code: 'insufficient_scope', detail: 'This operation needs the scope read:memory.' },
    { status: 403, code: 'insufficient_scope', detail: 'This operation needs the scope read:memory.' },
    'new too',
  ])
  const replayed = await send('POST', '/api/memory/batch', { operations }, key)
  expect(replayed.body.results.flatMap((one: any) => (one.item ? [fieldsOf(one.item)] : []))).toEqual(
    Array.from({ length: 4 }, () => [...SHORT].sort()),
  )
})

test('contract §2: deduplicate, and what a bulk delete asks of its items, need read:memory', async () => {
  const owner = await newWriter()
  await owner.store({ content: 'one', tags: ['t'] })
  const send = only(owner, 'write:memory')
  const refused = [
    await send('POST', '/api/memory/store', { content: 'one', deduplicate: true }),
    await send('POST', '/v1/memory/delete', { filters: {}, dry_run: true }),
    await send('POST', '/v1/memory/delete', { filters: { tags: ['t'] } }),
    await send('POST', '/v1/memory/delete', { filters: { OR: [{ tags: ['t'] }] } }),
    await send('POST', '/v1/memory/delete', { filters: {}, context: { conversation_id: 'c' } }),
  ]
  for (const { status, body, headers } of refused) {
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'insufficient_scope' })
    expect(headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="read:memory"')
    expect(headers.get('www-authenticate')).toContain('resource_metadata=')
  }
  const all = { filters: {}, context: { namespace: '*' } }
  expect((await send('POST', '/v1/memory/delete', all)).body).toEqual({ deleted: 1, has_more: false })
  const both = only(owner, 'write:memory', 'read:memory')
  expect((await both('POST', '/v1/memory/delete', { filters: { tags: ['t'] }, dry_run: true })).status).toBe(200)
})

test('contract §2: in an import a line with deduplicate needs read:memory', async () => {
  const owner = await newWriter()
  const { secret: key } = await addKey(owner, { scopes: ['write:memory'] })
  const { body } = await call('POST', '/v1/memory/import', {
    key,
    headers: { 'Content-Type': 'application/x-ndjson' },
    raw: '{"content": "one"}\n{"content": "one", "deduplicate": true}',
  })
  expect(body).toMatchObject({
    created: 1,
    failed: 1,
    results: [{ status: 'created' }, { status: 'error', error: { status: 403, code: 'insufficient_scope' } }],
  })
})

test('contract §2: projects, workspaces, members, profile, subscriptions and deliveries have a short form', async () => {
  const owner = await newWriter()
  const member = await addMember(owner, 'editor')
  const { url } = newReceiver()
  const subscription = await subscribe(owner, { url })
  const test = await owner.send('POST', `/v1/events/subscriptions/${subscription}/test`)
  await settled(subscription, { status: 'delivered' })
  const members = `/v1/workspaces/${owner.workspaceId}/members`
  const calls: [Scope, Scope, string, string, object | undefined, string[]][] = [
    [
      'write:projects',
      'read:projects',
      'PATCH',
      `/v1/projects/${owner.projectId}`,
      {},
      ['id', 'created_at', 'updated_at'],
    ],
    [
      'write:projects',
      'read:projects',
      'PATCH',
      `/v1/workspaces/${owner.workspaceId}`,
      {},
      ['id', 'created_at', 'updated_at'],
    ],
    [
      'admin:workspace',
      'read:projects',
      'PATCH',
      `${members}/${member.userId}`,
      { role: 'viewer' },
      ['user_id', 'joined_at'],
    ],
    ['write:profile', 'read:profile', 'PATCH', '/api/users/me', {}, ['id', 'created_at', 'updated_at']],
    [
      'write:events',
      'read:events',
      'PATCH',
      `/v1/events/subscriptions/${subscription}`,
      {},
      ['subscription_id', 'created_at'],
    ],
    [
      'write:events',
      'read:events',
      'POST',
      `/v1/events/deliveries/${test.body.delivery_id}/retry`,
      undefined,
      ['id', 'created_at'],
    ],
  ]
  expect(await deliveriesOf(subscription)).toHaveLength(1)
  for (const [write, read, method, path, body, fields] of calls) {
    const short = await only(owner, write)(method, path, body)
    expect({ path, fields: fieldsOf(short.body) }).toEqual({ path, fields: [...fields].sort() })
    if (path.endsWith('/retry')) await settled(subscription, { status: 'delivered' })
    const whole = await only(owner, write, read)(method, path, body)
    expect(fieldsOf(whole.body).length, path).toBeGreaterThan(fields.length)
    expect(whole.body, path).toMatchObject({ [fields[0] ?? '']: short.body[fields[0] ?? ''] })
  }
})
