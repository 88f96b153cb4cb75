/** @module-tag long */
import { expect, test } from 'vitest'
import { NOTIFICATION_CODES } from '../../src/core/notification-codes.ts'
import { travel } from '../support/clock.ts'
import { until } from '../support/until.ts'
import { request } from '../support/webhooks.ts'
import { addKey, addMember, call, db, newTenant, type Tenant } from '../support/world.ts'

const message = { type: 'message.new', data: { conversation_id: 'c1', text: 'hi' } }
const send = (tenant: Tenant, body: unknown, headers: Record<string, string> = {}) =>
  call('POST', '/api/events/publish', { key: tenant.key, body, headers })
const remaining = (headers: Headers) => Number(/"events\.publish";r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1])
const stored = (id: string) => db.first<Record<string, unknown>>('select * from events where id = :id', { id })

test('POST /api/events/publish answers 202 with event_id, published, timestamp and recipients', async () => {
  const tenant = await newTenant()
  await addMember(tenant, 'viewer')
  await addMember(tenant, null)
  const { status, body } = await send(tenant, message)
  expect(status).toBe(202)
  expect(body).toEqual({
    event_id: expect.stringMatching(/^evt_/),
    published: true,
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    recipients: 2,
  })
  expect(await stored(body.event_id)).toMatchObject({
    type: 'message.new',
    channel: 'conversation',
    project_id: tenant.projectId,
    workspace_id: tenant.workspaceId,
    conversation_id: 'c1',
    actor: tenant.userId,
  })
})

test('a committed event is fanned out', async () => {
  const tenant = await newTenant()
  const { body } = await send(tenant, message)
  await until(async () => expect(await stored(body.event_id)).toMatchObject({ settled_at: expect.any(Number) }))
})

test.each([
  ['message.new', 'conversation', 202],
  ['offering.status_change', 'offering', 202],
  ['system.maintenance', 'system', 202],
  ['order.shipped', 'orders', 202],
  ['message.new', 'offering', 422],
  ['message.new', 'orders', 422],
  ['order.shipped', 'conversation', 422],
  ['order.shipped', 'memory', 422],
  ['order.shipped', 'Orders', 422],
  ['order', 'orders', 422],
  ['order.shipped.late', 'orders', 422],
  ['memory.created', 'memory', 403],
  ['memory.created', 'orders', 422],
])('%s on channel %s: %i', async (type, channel, expected) => {
  const { status } = await send(await newTenant(), { type, channel, data: { conversation_id: 'c1' } })
  expect(status).toBe(expected)
})

test('the channel of a built-in type need not be named; a type of your own needs one', async () => {
  const tenant = await newTenant()
  const builtIn = await send(tenant, { type: 'offering.installed', data: {} })
  expect(await stored(builtIn.body.event_id)).toMatchObject({ channel: 'offering' })
  const own = await send(tenant, { type: 'order.shipped', data: {} })
  expect({ status: own.status, path: own.body.errors[0].path }).toEqual({ status: 422, path: 'channel' })
})

test('conversation events need data.conversation_id', async () => {
  const { status, body } = await send(await newTenant(), { type: 'typing.stop', data: {} })
  expect({ status, path: body.errors[0].path }).toEqual({ status: 422, path: 'data.conversation_id' })
})

test('data is an object of at most 32 KiB', async () => {
  const tenant = await newTenant()
  const dataOf = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
  expect((await send(tenant, { type: 'a.b', channel: 'c', data: dataOf(32 * 1024) })).status).toBe(202)
  expect((await send(tenant, { type: 'a.b', channel: 'c', data: dataOf(32 * 1024 + 1) })).status).toBe(422)
  expect((await send(tenant, { type: 'a.b', channel: 'c', data: ['x'] })).status).toBe(422)
})

test('system events need admin:workspace, and the role of an admin', async () => {
  const tenant = await newTenant()
  const { secret } = await addKey(tenant, { scopes: ['write:events'] })
  const event = { type: 'system.notification', data: { message: 'x' } }
  const narrow = await send({ ...tenant, key: secret }, event)
  expect({ status: narrow.status, code: narrow.body.code }).toEqual({ status: 403, code: 'insufficient_scope' })
  expect(narrow.headers.get('WWW-Authenticate')).toBe(
    'Bearer resource_metadata="http://recollect.test/.well-known/oauth-protected-resource", error="insufficient_scope", scope="admin:workspace"',
  )
  expect((await send(await addMember(tenant, 'editor'), event)).status).toBe(403)
  expect((await send(await addMember(tenant, 'admin'), event)).status).toBe(202)
})

test('a viewer does not publish; no membership, an absent and a foreign project are the same 404', async () => {
  const [tenant, stranger] = [await newTenant(), await newTenant()]
  expect((await send(await addMember(tenant, 'viewer'), message)).status).toBe(403)
  const outsider = await addMember(tenant, null)
  const absent = [404, 'No such project.']
  const answers = [
    await send(outsider, message),
    await send(stranger, { ...message, project_id: tenant.projectId }),
    await send(stranger, { ...message, project_id: 'prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG' }),
  ]
  expect(answers.map(({ status, body }) => [status, body.detail])).toEqual([absent, absent, absent])
  const workspace = await send(stranger, { ...message, workspace_id: tenant.workspaceId })
  expect(workspace.status).toBe(404)
})

test('security 27: a key publishes only where it may write', async () => {
  const tenant = await newTenant()
  const at = (permission: { access: 'read' | 'write'; namespaces?: string[] }, project_id = tenant.projectId) =>
    addKey(tenant, { permissions: [{ project_id, ...permission }] }).then(({ secret }) => ({ ...tenant, key: secret }))
  const other = await call('POST', '/api/projects', {
    key: tenant.key,
    body: { name: 'Other', workspace_id: tenant.workspaceId },
  })
  const readOnly = await at({ access: 'read' })
  const elsewhere = await at({ access: 'write' }, other.body.id)
  const named = await at({ access: 'write', namespaces: ['a'] })
  const here = { project_id: tenant.projectId }
  expect((await send(readOnly, { ...message, ...here })).status).toBe(403)
  expect((await send(elsewhere, { ...message, ...here })).status).toBe(404)
  expect((await send(elsewhere, { ...message, workspace_id: tenant.workspaceId })).status).toBe(403)
  expect((await send(named, { ...message, data: { ...message.data, namespace: 'b' } })).status).toBe(403)
  expect((await send(named, { ...message, data: { ...message.data, namespace: 'a' } })).status).toBe(202)
})

test('targets narrow the recipients', async () => {
  const [tenant, stranger] = [await newTenant(), await newTenant()]
  const viewer = await addMember(tenant, 'viewer')
  await addMember(tenant, 'viewer')
  const { body } = await send(tenant, { ...message, targets: [viewer.userId, stranger.userId] })
  expect(body.recipients).toBe(1)
})

test('20 publications a minute for each user; the 21st is 429', async () => {
  const tenant = await newTenant()
  const keys = await Promise.all(Array.from({ length: 5 }, () => addKey(tenant)))
  travel(0)
  const answers = []
  for (let n = 0; n < 21; n += 1) answers.push(await send({ ...tenant, key: keys[n % 5]!.secret }, message))
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(20)
  expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(Number(answers.at(-1)?.headers.get('Retry-After'))).toBeGreaterThan(50)
})

test('a refused publication releases its permit', async () => {
  const tenant = await newTenant()
  const first = await send(tenant, message)
  await send(tenant, { type: 'message.new', data: {} })
  await send(tenant, { ...message, project_id: 'prj_nothing' })
  await call('POST', '/api/events/publish', {
    key: tenant.key,
    raw: '{',
    headers: { 'Content-Type': 'application/json' },
  })
  const last = await send(tenant, message)
  expect(remaining(first.headers)).toBe(19)
  expect(remaining(last.headers)).toBe(18)
})

test('an Idempotency-Key publishes once, and a refused publication frees it', async () => {
  const tenant = await newTenant()
  const key = { 'Idempotency-Key': 'k1' }
  expect((await send(tenant, { ...message, project_id: 'prj_nothing' }, key)).status).toBe(404)
  const [first, ...again] = await Promise.all(Array.from({ length: 3 }, () => send(tenant, message, key)))
  for (const answer of again) expect(answer.body).toEqual(first!.body)
  expect(await db.all('select id from events where project_id = :project', { project: tenant.projectId })).toHaveLength(
    1,
  )
  const other = await send(tenant, { ...message, data: { conversation_id: 'c2' } }, key)
  expect({ status: other.status, code: other.body.code }).toEqual({ status: 409, code: 'idempotency_mismatch' })
})

test('publication leaves an audit row in its own commit', async () => {
  const tenant = await newTenant()
  const { body } = await send(tenant, message)
  const rows = await db.all<{ row: string }>('select row from audit_outbox where tenant_id = :tenant', {
    tenant: tenant.tenantId,
  })
  expect(rows.map(({ row }) => JSON.parse(row))).toMatchObject([
    { action: 'events.publish', outcome: 'success', resource_ids: [body.event_id], project_id: tenant.projectId },
  ])
})

test('an event for a whole workspace reaches its members; a project of another workspace is a 404', async () => {
  const [tenant, other] = [await newTenant(), await newTenant()]
  await addMember(tenant, 'editor')
  const { body } = await send(tenant, { ...message, workspace_id: tenant.workspaceId })
  expect(body.recipients).toBe(2)
  expect(await stored(body.event_id)).toMatchObject({ workspace_id: tenant.workspaceId, project_id: null })
  const mixed = await send(tenant, { ...message, workspace_id: tenant.workspaceId, project_id: other.projectId })
  expect(mixed.status).toBe(404)
})

test('security 51: nobody but the service tells the state of a connection, which clients act upon', async () => {
  const tenant = await newTenant()
  const status = (data: object) => send(tenant, { type: 'system.status', data })
  for (const data of [{ state: 'closing', code: 4403, reason: 'rights lost' }, { state: 'connected' }]) {
    const { status: answer, body } = await status(data)
    expect({ answer, errors: body.errors }).toEqual({
      answer: 422,
      errors: [expect.objectContaining({ path: 'data.state', code: 'reserved' })],
    })
  }
  expect((await status({ state: 'degraded', message: 'Search is slow.' })).status).toBe(202)
})

test('security 51: a notification of a user has no code of the service, and names its sender', async () => {
  const tenant = await newTenant()
  const send = (body: object) => request(tenant, 'POST', '/api/events/publish', body)
  const notify = (data: object) => send({ type: 'system.notification', data, targets: [tenant.userId] })
  for (const code of [...NOTIFICATION_CODES, ' Session.New_Device ']) {
    const { status, body } = await notify({ code, message: 'A new key was made.' })
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: [expect.objectContaining({ path: 'data.code', code: 'reserved' })],
    })
  }
  const forged = await notify({ code: 'team.lunch', sender: 'usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG' })
  expect([forged.status, forged.body.errors[0]]).toMatchObject([422, { path: 'data.sender', code: 'reserved' }])
  for (const type of ['system.notification', 'system.status', 'system.maintenance']) {
    const { body } = await send({ type, data: { code: 'team.lunch', message: 'Lunch is at noon.' } })
    expect(JSON.parse(String((await stored(body.event_id))?.['data']))).toMatchObject({ sender: tenant.userId })
  }
})
