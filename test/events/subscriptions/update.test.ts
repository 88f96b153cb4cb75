import { afterEach, expect, test, vi } from 'vitest'
import { SCOPES, type Principal } from '../../../src/core/context.ts'
import { updateSubscription } from '../../../src/events/subscriptions/update.ts'
import { newReceiver } from '../../support/receiver.ts'
import { newApp, newCode, newPerson, redeem, visitor } from '../../support/oauth.ts'
import { addKey, call, db, newSession, newTenant, system } from '../../support/world.ts'
import { deliveriesOf, fanOutDone, moveClock, publish, request, resetClock, runSweep, subscribe } from '../webhooks.ts'

afterEach(resetClock)

const url = 'https://hooks.example.com/in'

test('PATCH changes what is named and leaves the rest', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, { url }, { events: ['message.new'], filters: { conversation_id: 'c1' } })
  const at = `/v1/events/subscriptions/${id}`
  const changed = await request(tenant, 'PATCH', at, { filters: {}, delivery: { url: `${url}/2` } })
  expect(changed).toMatchObject({
    status: 200,
    body: { channels: ['conversation'], events: ['message.new'], filters: {}, delivery: { url: `${url}/2` } },
  })
  expect((await request(tenant, 'GET', at)).body).toEqual(changed.body)
})

test('PATCH holds to the rules of creation', async () => {
  const tenant = await newTenant()
  const narrow = { ...tenant, key: (await addKey(tenant, { scopes: ['read:events', 'write:events'] })).secret }
  const id = await subscribe(narrow, { url })
  const at = `/v1/events/subscriptions/${id}`
  expect((await request(tenant, 'PATCH', at, { events: ['memory.created'] })).status).toBe(422)
  expect((await request(tenant, 'PATCH', at, { status: 'disabled' })).status).toBe(422)
  expect((await request(tenant, 'PATCH', at, { delivery: { url: 'https://u@example.com' } })).status).toBe(422)
  // The scopes of the key that made it bound it for life, whoever changes it.
  expect((await request(tenant, 'PATCH', at, { channels: ['memory'] })).status).toBe(403)
})

test('when its key ends, a subscription is disabled with the reason credential_ended, for good', async () => {
  const tenant = await newTenant()
  const key = await addKey(tenant)
  const id = await subscribe({ ...tenant, key: key.secret }, { url })
  const at = `/v1/events/subscriptions/${id}`
  await db.write('update api_keys set revoked_at = ? where id = ?', system.now(), key.id)
  const ended = { status: 'disabled', disabled_reason: 'credential_ended' }
  expect((await request(tenant, 'GET', at)).body).toMatchObject(ended)
  await fanOutDone(await publish(tenant))
  expect(await deliveriesOf(id)).toEqual([])
  await runSweep('subscriptions.credentials')
  expect(await db.first('select status, disabled_reason from subscriptions where id = ?', id)).toEqual(ended)
  const notices = await db.all(
    `select 1 from events where type = 'system.notification' and targets = ? and data ->> 'subscription_id' = ?`,
    JSON.stringify([tenant.userId]),
    id,
  )
  expect(notices).toHaveLength(1)
  expect((await request(tenant, 'PATCH', at, { status: 'active' })).status).toBe(409)
})

test('when its grant ends, likewise', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, { url })
  const grant = system.newId('grt')
  await db.batch([
    db.statement(
      `insert into oauth_grants (id, tenant_id, user_id, client_id, client_name, scopes, created_at)
       values (?, ?, ?, 'c', 'App', '[]', 0)`,
      grant,
      tenant.tenantId,
      tenant.userId,
    ),
    db.statement(`update subscriptions set credential_kind = 'access', grant_id = ? where id = ?`, grant, id),
  ])
  const get = async () => (await request(tenant, 'GET', `/v1/events/subscriptions/${id}`)).body
  expect(await get()).toMatchObject({ status: 'active' })
  await db.write('update oauth_grants set revoked_at = ? where id = ?', system.now(), grant)
  expect(await get()).toMatchObject({ status: 'disabled', disabled_reason: 'credential_ended' })
})

test('a rotated key hands its subscriptions on to its successor', async () => {
  const tenant = await newTenant()
  const [key, successor] = [await addKey(tenant), await addKey(tenant)]
  const id = await subscribe({ ...tenant, key: key.secret }, { url })
  await db.write('update api_keys set revoked_at = ?, rotated_to = ? where id = ?', system.now(), successor.id, key.id)
  const get = async () => (await request(tenant, 'GET', `/v1/events/subscriptions/${id}`)).body
  expect(await get()).toMatchObject({ status: 'active' })
  await runSweep('subscriptions.credentials')
  expect(await db.first('select credential_id from subscriptions where id = ?', id)).toEqual({
    credential_id: successor.id,
  })
  await db.write('update api_keys set revoked_at = ? where id = ?', system.now(), successor.id)
  expect(await get()).toMatchObject({ status: 'disabled' })
})

test('a key that was rotated twice before the sweep hands them on all the same', async () => {
  const tenant = await newTenant()
  const keys = [await addKey(tenant), await addKey(tenant), await addKey(tenant)] as const
  const id = await subscribe({ ...tenant, key: keys[0].secret }, { url })
  for (const [index, next] of keys.slice(1).entries()) {
    const ended = keys[index]!.id
    await db.write('update api_keys set revoked_at = ?, rotated_to = ? where id = ?', system.now(), next.id, ended)
  }
  const get = async () => (await request(tenant, 'GET', `/v1/events/subscriptions/${id}`)).body
  expect(await get()).toMatchObject({ status: 'active' })
  await fanOutDone(await publish(tenant))
  expect(await deliveriesOf(id)).toHaveLength(1)
  await runSweep('subscriptions.credentials')
  expect(await db.first('select credential_id, status from subscriptions where id = ?', id)).toEqual({
    credential_id: keys[2].id,
    status: 'active',
  })
  await db.write('update api_keys set revoked_at = ? where id = ?', system.now(), keys[2].id)
  expect(await get()).toMatchObject({ status: 'disabled', disabled_reason: 'credential_ended' })
})

test('the subscriptions of an erased user go with their address, headers and secret', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, { url }, {}, { 'X-A': 'b' })
  await db.write('update users set deleted_at = ? where id = ?', system.now(), tenant.userId)
  await runSweep('subscriptions.credentials')
  expect(await db.first('select url, headers, secret from subscriptions where id = ?', id)).toEqual({
    url: '',
    headers: null,
    secret: '',
  })
})

const headersOf = (id: string) => db.first('select headers from subscriptions where id = ?', id)

test('security 38: another origin does not get the stored headers, another path of the same one does', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, { url }, {}, { Authorization: 'Bearer kept' })
  const patch = (delivery: object) => request(tenant, 'PATCH', `/v1/events/subscriptions/${id}`, { delivery })
  await patch({ url: `${url}/2` })
  expect(await headersOf(id)).toEqual({ headers: expect.any(String) })
  expect((await patch({ url: 'https://elsewhere.example.com/in' })).status).toBe(200)
  expect(await headersOf(id)).toEqual({ headers: null })
  await patch({ url, headers: { Authorization: 'Bearer new' } })
  expect(await headersOf(id)).toEqual({ headers: expect.any(String) })
})

test('a credential that could not have made a subscription neither changes it nor reads its secret', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, newReceiver(), { channels: ['memory'] })
  const at = `/v1/events/subscriptions/${id}`
  const calls = [
    ['PATCH', at, { delivery: { url: 'https://elsewhere.example.com/' } }],
    ['GET', `${at}/secret`, undefined],
    ['POST', `${at}/secret/rotate`, undefined],
  ] as const
  const sent = [
    ['POST', `${at}/test`, undefined],
    ['POST', `${at}/recover`, { since: '2026-01-01T00:00:00Z' }],
  ] as const
  const narrow = async () => (await addKey(tenant, { scopes: ['read:events', 'write:events'] })).secret
  const wide = await addKey(tenant)
  for (const [method, path, body] of sent) {
    expect((await call(method, path, { key: await narrow(), body })).status).toBe(403)
    expect((await request(tenant, method, path, body)).status).toBe(202)
  }
  const [delivery] = await deliveriesOf(id)
  const retry = `/v1/events/deliveries/${delivery!.id}/retry`
  expect((await call('POST', retry, { key: await narrow() })).status).toBe(403)
  moveClock(1_500)
  for (const [method, path, body] of calls) {
    expect((await call(method, path, { key: await narrow(), body })).status).toBe(403)
    expect((await call(method, path, { key: wide.secret, body })).status).toBe(200)
    expect((await call(method, path, { headers: await newSession(tenant), body })).status).toBe(200)
  }
})

test('an access token reaches the subscriptions of its own grant only', async () => {
  const person = await newPerson()
  const scopes = ['read:events', 'write:events', 'read:memory'] as const
  const app = await newApp(person, { scopes })
  const token = async () => {
    const { body } = await redeem(app, await newCode(person, app, { scope: scopes.join(' ') }))
    return { headers: { Authorization: `Bearer ${body.access_token}` } }
  }
  const [own, other] = [await token(), await token()]
  const body = { channels: ['conversation'], delivery: { method: 'webhook', url } }
  const made = await call('POST', '/api/events/subscriptions', { ...own, body })
  const at = `/v1/events/subscriptions/${made.body.subscription_id}`
  const byKey = `/v1/events/subscriptions/${await subscribe(person, { url })}`
  for (const [status, path, bearer] of [
    [200, at, own],
    [404, at, other],
    [404, byKey, own],
  ] as const) {
    // Past the windows of a second.
    moveClock(1_500)
    const calls: [string, string, object?][] = [
      ['GET', path],
      ['PATCH', path, { filters: {} }],
      ['GET', `${path}/secret`],
      ['POST', `${path}/secret/rotate`],
      ['GET', `${path}/deliveries`],
    ]
    for (const [method, where, sent] of calls) {
      expect([method, where, (await call(method, where, { ...bearer, body: sent })).status]).toEqual([
        method,
        where,
        status,
      ])
    }
  }
  const listed = async (bearer: typeof own) => {
    const list = await call('GET', '/api/events/subscriptions', bearer)
    return [list.body.total, list.body.subscriptions.map((one: { subscription_id: string }) => one.subscription_id)]
  }
  expect([await listed(own), await listed(other)]).toEqual([
    [1, [made.body.subscription_id]],
    [0, []],
  ])
  const where = `/api/events/subscriptions/${made.body.subscription_id}`
  expect((await call('DELETE', where, other)).status).toBe(404)
  expect((await call('DELETE', where, own)).status).toBe(200)
})

test('a PATCH does not undo what disables the subscription meanwhile, and keeps the fields that it does not name', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, { url }, {}, { 'X-A': 'b' })
  const { headers } = (await headersOf(id)) as { headers: string }
  const credential = { kind: 'key', id: tenant.keyId, environment: 'live', appId: null, grantId: null } as const
  const owner = {
    tenantId: tenant.tenantId,
    userId: tenant.userId,
    routingId: tenant.routingId,
    kind: 'person',
  } as const
  const principal: Principal = { ...owner, credential, scopes: SCOPES, permissions: null, defaultProjectId: null }
  const commit = vi.spyOn(db, 'batch')
  commit.mockImplementationOnce(async (statements) => {
    await db.write(
      `update subscriptions set status = 'disabled', disabled_reason = 'gone', event_types = '["message.new"]' where id = ?`,
      id,
    )
    return db.batch(statements)
  })
  const filters = { conversation_id: 'c9' }
  const shown = await updateSubscription(visitor({}, principal), id, { filters }).finally(() => commit.mockRestore())
  const now = { status: 'disabled', disabled_reason: 'gone', events: ['message.new'], filters, delivery: { url } }
  expect(shown).toMatchObject(now)
  expect(await headersOf(id)).toEqual({ headers })
})
