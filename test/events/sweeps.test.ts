import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, travel } from '../support/clock.ts'
import { commitEvent, conversationEvent } from '../support/events.ts'
import { newReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import {
  deliveriesOf,
  fanOutDone,
  notices,
  publish,
  request,
  runSweep,
  settled,
  subscribe,
} from '../support/webhooks.ts'
import { addKey, db, newTenant, system, type Tenant } from '../support/world.ts'

const url = 'https://hooks.example.com/in'

test('an event whose message was lost is spread by the sweep', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  await commitEvent(conversationEvent(tenant))
  await runSweep('events.resend')
  expect(await deliveriesOf(id)).toEqual([])
  travel(MINUTE)
  await runSweep('events.resend')
  expect(await settled(id, { status: 'delivered' })).toMatchObject({ attempts: 1 })
})

test('a backlog is not sent again whole each minute: each time an event waits longer', async () => {
  const tenant = await newTenant()
  const id = await commitEvent(conversationEvent(tenant))
  const quiet = { queues: { send: async () => undefined } }
  const waits: number[] = []
  for (let n = 0; n < 4; n += 1) {
    const before = await db.first<{ resend_at: number }>('select resend_at from events where id = ?', id)
    travel(Math.max(0, before!.resend_at - system.now()))
    await runSweep('events.resend', quiet)
    const after = await db.first<{ resend_at: number }>('select resend_at from events where id = ?', id)
    waits.push(Math.round((after!.resend_at - system.now()) / MINUTE))
  }
  expect(waits).toEqual([1, 2, 4, 8])
})

/** Events of an hour in which no message arrived; past `expiresAt` they are only to be erased. */
const pileUp = (tenant: Tenant, count: number, expiresAt: number) =>
  db.write(
    `insert into events (id, tenant_id, type, channel, workspace_id, project_id, actor, data, created_at, resend_at, expires_at)
     select substr(?1, 1, 22) || printf('%08d', value), ?2, 'message.new', 'conversation', ?3, ?4, 'system', '{}', 0, 0, ?5
     from json_each(?6)`,
    system.newId('evt'),
    tenant.tenantId,
    tenant.workspaceId,
    tenant.projectId,
    expiresAt,
    JSON.stringify(Array.from({ length: count }, (_, n) => n)),
  )

const idsOf = async (tenant: Tenant) =>
  (await db.all<{ id: string }>('select id from events where tenant_id = ?', tenant.tenantId)).map(({ id }) => id)

test('one sweep sends a backlog again that is larger than one round', async () => {
  const tenant = await newTenant()
  await pileUp(tenant, 2_500, system.now() + DAY)
  const sent = new Set<string>()
  const send = async (_: unknown, bodies: readonly unknown[]) => {
    for (const { ids } of bodies as { ids: string[] }[]) for (const id of ids) sent.add(id)
  }
  await runSweep('events.resend', { queues: { send } })
  expect((await idsOf(tenant)).filter((id) => !sent.has(id))).toEqual([])
})

test('one sweep erases more than one round of what is over', async () => {
  const tenant = await newTenant()
  await pileUp(tenant, 4_500, system.now() - 1)
  await runSweep('events.retention')
  expect(await idsOf(tenant)).toEqual([])
})

test('a lost delivery message is sent again by the sweep', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: receiver.received.length > 1 ? 200 : 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  await settled(id, { status: 'pending', attempts: 1 })
  travel(HOUR)
  await runSweep('deliveries.resend')
  await settled(id, { status: 'delivered', attempts: 2 })
  expect(receiver.received).toHaveLength(2)
})

test('what is not sent within seven days expires: listed, recoverable, owner notified once', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const patch = (status: string) => request(tenant, 'PATCH', `/v1/events/subscriptions/${id}`, { status })
  await patch('paused')
  for (let n = 0; n < 2; n += 1) await fanOutDone(await publish(tenant, { n }))
  const since = new Date(system.now() - MINUTE).toISOString()
  travel(7 * DAY + MINUTE)
  await Promise.all([runSweep('deliveries.expire'), runSweep('deliveries.expire')])
  const { body } = await request(tenant, 'GET', `/v1/events/subscriptions/${id}/deliveries?status=expired`)
  expect(body.data).toHaveLength(2)
  expect(await notices(tenant.userId)).toMatchObject([{ code: 'deliveries.expired', subscription_id: id }])
  await patch('active')
  expect(receiver.received).toHaveLength(0)
  const recovered = await request(tenant, 'POST', `/v1/events/subscriptions/${id}/recover`, { since })
  expect(recovered).toMatchObject({ status: 202, body: { recovered: 2, has_more: false } })
  await until(() => expect(receiver.received).toHaveLength(2))
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
  const told = await db.all(
    `select 1 from events where type = 'system.notification' and targets = ? and data ->> 'subscription_id' = ?`,
    JSON.stringify([tenant.userId]),
    id,
  )
  expect(told).toHaveLength(1)
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

test('events, deliveries and attempts are erased after 30 days, typing events at the next sweep', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const typing = await publish(tenant, {}, { type: 'typing.stop' })
  const event = await publish(tenant)
  await until(async () => expect((await deliveriesOf(id)).map((row) => row.status)).toEqual(['delivered', 'delivered']))
  const left = async () => ({
    events: await db.all('select id from events where id in (?, ?)', typing, event),
    deliveries: (await deliveriesOf(id)).length,
    attempts: (await db.all('select id from delivery_attempts where tenant_id = ?', tenant.tenantId)).length,
  })
  travel(MINUTE)
  await runSweep('events.retention')
  expect(await left()).toEqual({ events: [{ id: event }], deliveries: 2, attempts: 2 })
  travel(30 * DAY)
  await runSweep('events.retention')
  expect(await left()).toEqual({ events: [], deliveries: 0, attempts: 0 })
})
