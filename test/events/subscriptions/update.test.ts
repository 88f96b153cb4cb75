import { expect, test, vi } from 'vitest'
import { SCOPES, type Principal } from '../../../src/core/context.ts'
import { updateSubscription } from '../../../src/events/subscriptions/update.ts'
import { travel } from '../../support/clock.ts'
import { newReceiver } from '../../support/receiver.ts'
import { newApp, newCode, newPerson, redeem, requestContext } from '../../support/oauth.ts'
import { addKey, call, db, newSession, newTenant } from '../../support/world.ts'
import { deliveriesOf, request, subscribe } from '../../support/webhooks.ts'

const url = 'https://hooks.example.com/in'

test('PATCH changes the named fields and keeps the others', async () => {
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

test('PATCH applies the rules of creation', async () => {
  const tenant = await newTenant()
  const narrow = { ...tenant, key: (await addKey(tenant, { scopes: ['read:events', 'write:events'] })).secret }
  const id = await subscribe(narrow, { url })
  const at = `/v1/events/subscriptions/${id}`
  expect((await request(tenant, 'PATCH', at, { events: ['memory.created'] })).status).toBe(422)
  expect((await request(tenant, 'PATCH', at, { status: 'disabled' })).status).toBe(422)
  expect((await request(tenant, 'PATCH', at, { delivery: { url: 'https://u@example.com' } })).status).toBe(422)
  // The scopes of the key that made the subscription bound it for life.
  expect((await request(tenant, 'PATCH', at, { channels: ['memory'] })).status).toBe(403)
})

test('contract §5: PATCH refuses a misspelt channel too, and leaves a subscription that has one alone', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, { url }, { channels: ['conversations'], events: ['order.shipped'] })
  const at = `/v1/events/subscriptions/${id}`
  const without = await request(tenant, 'PATCH', at, { events: [] })
  expect([without.status, without.body.errors?.[0].code]).toEqual([422, 'misspelt_channel'])
  await db.write(`update subscriptions set event_types = '[]' where id = :id`, { id })
  expect(await request(tenant, 'PATCH', at, { status: 'paused' })).toMatchObject({
    status: 200,
    body: { channels: ['conversations'], events: [], status: 'paused' },
  })
  expect((await request(tenant, 'PATCH', at, { channels: ['memroy'] })).status).toBe(422)
})

test('contract §2: the refusal of a change shows no stored channel and no stored type to anybody', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, { url }, { channels: ['secret-channel'], events: ['secret.thing'] })
  const patch = async (body: object) =>
    (await request(tenant, 'PATCH', `/v1/events/subscriptions/${id}`, body)).body.detail
  expect(await patch({ events: ['message.new'] })).toBe(
    'events.0: The type message.new does not belong to any of the channels of the subscription. Its channel is "conversation".',
  )
  expect(await patch({ channels: ['conversation'] })).toBe(
    'events.0: A type of the subscription does not belong to any of the channels conversation. Send events too.',
  )
})

const headersOf = (id: string) => db.first('select headers from subscriptions where id = :id', { id })

test('security 38: another origin does not get the stored headers, another path of the same origin does', async () => {
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
  travel(1_500)
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
    // After the windows of a second.
    travel(1_500)
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

test('a PATCH does not undo a concurrent disabling and keeps the fields that it does not name', async () => {
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
      `update subscriptions set status = 'disabled', disabled_reason = 'gone', event_types = '["message.new"]' where id = :id`,
      { id },
    )
    return db.batch(statements)
  })
  const filters = { conversation_id: 'c9' }
  const shown = await updateSubscription(requestContext({}, principal), id, { filters }).finally(() =>
    commit.mockRestore(),
  )
  const now = { status: 'disabled', disabled_reason: 'gone', events: ['message.new'], filters, delivery: { url } }
  expect(shown).toMatchObject(now)
  expect(await headersOf(id)).toEqual({ headers })
})
