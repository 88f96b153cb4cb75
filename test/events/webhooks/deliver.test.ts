/** @module-tag long */
import { bound } from '../../support/bound.ts'
import { expect, test, vi } from 'vitest'
import { deliver } from '../../../src/events/webhooks/deliver.ts'
import { DAY, HOUR, MINUTE, travel } from '../../support/clock.ts'
import { newReceiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import {
  deliveriesOf,
  deliverNow,
  fanOutDone,
  publish,
  request,
  runSweep,
  settled,
  subscribe,
} from '../../support/webhooks.ts'
import { addMember, db, newTenant, system } from '../../support/world.ts'

test('a subscription gets the events of its channels, types and filters', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const one = await subscribe(tenant, receiver, { events: ['message.new'], filters: { conversation_id: 'c1' } })
  const other = await subscribe(tenant, receiver, { channels: ['orders'] })
  const ids = [
    await publish(tenant),
    await publish(tenant, { conversation_id: 'c2' }),
    await publish(tenant, {}, { type: 'message.updated' }),
    await publish(tenant, {}, { type: 'order.shipped', channel: 'orders' }),
  ]
  for (const id of ids) await fanOutDone(id)
  expect((await deliveriesOf(one)).map((row) => row.event_id)).toEqual([ids[0]])
  expect((await deliveriesOf(other)).map((row) => row.event_id)).toEqual([ids[3]])
})

test('a redirect is a failure and no second request is made', async () => {
  const tenant = await newTenant()
  const second = newReceiver()
  const first = newReceiver(() => new Response(null, { status: 302, headers: { Location: second.url } }))
  const id = await subscribe(tenant, first)
  await publish(tenant)
  await settled(id, { status: 'pending', attempts: 1, last_status_code: 302, last_error: 'redirect' })
  expect(first.received).toHaveLength(1)
  expect(second.received).toHaveLength(0)
})

test('paused: nothing is sent, everything waits and is sent on resume', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const patch = (status: string) => request(tenant, 'PATCH', `/v1/events/subscriptions/${id}`, { status })
  expect((await patch('paused')).body).toMatchObject({ subscription_id: id, status: 'paused' })
  for (let n = 0; n < 3; n += 1) await fanOutDone(await publish(tenant, { n }))
  for (const row of await deliveriesOf(id)) await deliverNow(row.id)
  expect((await deliveriesOf(id)).map((row) => row.status)).toEqual(['waiting', 'waiting', 'waiting'])
  expect(receiver.received).toHaveLength(0)
  await patch('active')
  await until(() => expect(receiver.received).toHaveLength(3))
})

test('deleted with deliveries in flight: nothing more is sent', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  await request(tenant, 'DELETE', `/api/events/subscriptions/${id}`)
  travel(HOUR)
  await deliverNow(row.id)
  await runSweep('deliveries.resend')
  await settled(id, { status: 'expired' })
  expect(receiver.received).toHaveLength(1)
})

test('owner demoted with deliveries in flight: events that they may no longer receive are not sent', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'viewer')
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(member, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  await db.write('delete from workspace_members where user_id = :user', { user: member.userId })
  travel(HOUR)
  await deliverNow(row.id)
  await settled(id, { status: 'failed', last_error: 'access_lost' })
  expect(receiver.received).toHaveLength(1)
})

test('a receiver down for an hour: everything arrives afterwards', async () => {
  const tenant = await newTenant()
  const start = system.now()
  const receiver = newReceiver(() => new Response(null, { status: system.now() < start + HOUR ? 502 : 200 }))
  const id = await subscribe(tenant, receiver)
  for (let n = 0; n < 5; n += 1) await publish(tenant, { n })
  await until(async () => expect((await deliveriesOf(id)).map((row) => row.attempts)).toEqual([1, 1, 1, 1, 1]))
  for (let minute = 0; minute < 300; minute += 10) {
    travel(10 * MINUTE)
    for (const row of await deliveriesOf(id)) await deliverNow(row.id)
  }
  expect((await deliveriesOf(id)).map((row) => row.status)).toEqual(Array.from({ length: 5 }, () => 'delivered'))
})

test('for the deliveries of one batch the host name is resolved once and the hub asked once', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const patch = (status: string) => request(tenant, 'PATCH', `/v1/events/subscriptions/${id}`, { status })
  await patch('paused')
  for (let n = 0; n < 4; n += 1) await fanOutDone(await publish(tenant, { n }))
  const ids = (await deliveriesOf(id)).map((row) => row.id)
  await db.write(`update subscriptions set status = 'active' where id = :id`, { id })
  await db.write(`update deliveries set status = 'pending' where subscription_id = :id`, { id })
  const addresses = vi.fn<() => Promise<string[]>>(async () => ['93.184.215.14'])
  const reserveDeliveries = vi.fn<(_: string, reserved: readonly boolean[]) => Promise<number[]>>()
  const parts = {
    ...system,
    config: { ...system.config, allowPrivateWebhooks: false },
    resolver: { addresses },
    hub: () => ({ ...system.hub(tenant.routingId), reserveDeliveries }),
    queues: { send: async () => undefined },
  }
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  reserveDeliveries.mockResolvedValueOnce([0, 1_000, 2_000, 0])
  await deliver(parts, db.metered(meter), ids)
  expect([addresses.mock.calls.length, reserveDeliveries.mock.calls]).toEqual([1, [[id, [false, false, false, false]]]])
  // The claim, the two postponed, the two recorded: in one commit, or the second after the first.
  expect(meter.roundTrips).toBeLessThanOrEqual(4)
  expect(receiver.received).toHaveLength(2)
  const waiting = (await deliveriesOf(id)).filter((row) => row.status === 'pending')
  expect(waiting).toMatchObject([
    { attempts: 0, booked: 1 },
    { attempts: 0, booked: 1 },
  ])
  expect(waiting[1]!.next_attempt_at - waiting[0]!.next_attempt_at).toBe(1_000)
})

test('a database that fails right after sending is tried again: the attempt is recorded, and not sent twice', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: receiver.received.length > 1 ? 200 : 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  travel(MINUTE)
  let calls = 0
  const flaky = new Proxy(db, {
    get: (target, name: keyof typeof db) =>
      name === 'batch' && receiver.received.length > 1 && (calls += 1) === 1
        ? () => Promise.reject(new Error('away'))
        : bound(target, name),
  })
  await deliver(system, flaky, [row.id])
  expect(calls).toBe(2)
  await settled(id, { status: 'delivered', attempts: 2 })
  expect(receiver.received).toHaveLength(2)
})

test('a name without an answer: not sent, no attempt used; a name of a private address: refused as an attempt', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: receiver.received.length > 1 ? 200 : 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  const strict = { config: { ...system.config, allowPrivateWebhooks: false } }
  const answering = (...addresses: string[]) => ({ ...strict, resolver: { addresses: async () => addresses } })
  travel(MINUTE)
  await deliverNow(row.id, { ...strict, resolver: { addresses: () => Promise.reject(new Error('no answer')) } })
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 1, last_error: 'name_not_resolved' }])
  travel(10 * MINUTE)
  await deliverNow(row.id, answering('169.254.169.254'))
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 2, last_error: 'private_target' }])
  expect(receiver.received).toHaveLength(1)
  travel(DAY)
  await deliverNow(row.id, answering('93.184.215.14'))
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempts: 3 }])
})

test('security 36: an attempt at the service itself, by any of its host names, is refused and makes no reservation', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  const config = { ...system.config, allowPrivateWebhooks: false, publicHosts: [new URL(receiver.url).hostname] }
  const reserveDeliveries = vi.fn<() => Promise<number[]>>(async () => [0])
  const parts = {
    resolver: { addresses: async () => ['93.184.215.14'] },
    hub: () => ({ ...system.hub(tenant.routingId), reserveDeliveries }),
  }
  travel(MINUTE)
  await deliverNow(row.id, { ...parts, config })
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 2, last_error: 'own_service' }])
  expect(receiver.received).toHaveLength(1)
  expect(reserveDeliveries).not.toHaveBeenCalled()
  travel(HOUR)
  await deliverNow(row.id, { ...parts, config: { ...config, publicHosts: [] } })
  expect(receiver.received).toHaveLength(2)
  expect(reserveDeliveries).toHaveBeenCalledTimes(1)
})

test('a hub that cannot be reached: not sent, no attempt used', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  travel(MINUTE)
  const away = { ...system.hub(tenant.routingId), reserveDeliveries: () => Promise.reject(new Error('away')) }
  await deliverNow(row.id, { hub: () => away, log: { info: () => {}, error: () => {} } })
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 1, last_error: 'not_sent' }])
  expect(receiver.received).toHaveLength(1)
})
