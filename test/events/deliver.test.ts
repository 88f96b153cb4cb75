import { afterEach, expect, test, vi } from 'vitest'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { deliver } from '../../src/events/deliver.ts'
import { newReceiver } from '../support/receiver.ts'
import { addMember, db, newTenant, system } from '../support/world.ts'
import {
  attemptsOf,
  deliveriesOf,
  deliverNow,
  fanOutDone,
  moveClock,
  publish,
  request,
  resetClock,
  runSweep,
  settled,
  subscribe,
} from './webhooks.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

afterEach(resetClock)

test('a published event arrives as a signed POST with the body of contract §5', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const eventId = await publish(tenant, { text: 'héllo ✓' })
  const row = await settled(id, { status: 'delivered', attempts: 1, last_status_code: 200, last_error: null })
  expect(receiver.received).toHaveLength(1)
  const [{ method, headers, body, redirect }] = receiver.received as [(typeof receiver.received)[0]]
  expect({ method, redirect }).toEqual({ method: 'POST', redirect: 'manual' })
  expect(headers).toMatchObject({
    'user-agent': 'Recollect-Webhook/1',
    'content-type': 'application/json',
    'webhook-id': row.id,
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  })
  expect(JSON.parse(body)).toEqual({
    subscription_id: id,
    events: [
      {
        id: eventId,
        type: 'message.new',
        channel: 'conversation',
        timestamp: expect.stringMatching(/Z$/),
        data: { conversation_id: 'c1', text: 'héllo ✓' },
      },
    ],
    timestamp: expect.stringMatching(/Z$/),
  })
  const { body: revealed } = await request(tenant, 'GET', `/v1/events/subscriptions/${id}/secret`)
  expect(new StandardWebhook(revealed.secret).verify(body, headers)).toEqual(JSON.parse(body))
})

test('custom headers are sent', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  await subscribe(tenant, receiver, {}, { Authorization: 'Bearer t0p', 'X-Env': 'test' })
  await publish(tenant)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1))
  expect(receiver.received[0]?.headers).toMatchObject({ authorization: 'Bearer t0p', 'x-env': 'test' })
})

test('a subscription gets what it asked for: channels, types, filters', async () => {
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

test('a failed attempt is repeated on schedule, with the same webhook-id and the same bytes; the eighth is the last', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response('broken', { status: 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const pauses = [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]
  for (const [index, pause] of pauses.entries()) {
    const row = await settled(id, { status: 'pending', attempts: index + 1, last_error: 'status_500' })
    const wait = row.next_attempt_at - system.now()
    expect(wait).toBeGreaterThan(pause * 0.8 - 2_000)
    expect(wait).toBeLessThanOrEqual(pause * 1.2)
    await deliverNow(row.id)
    expect(receiver.received).toHaveLength(index + 1)
    moveClock(wait + 1)
    await deliverNow(row.id)
  }
  const row = await settled(id, { status: 'failed', attempts: 8 })
  expect(new Set(receiver.received.map((one) => `${one.headers['webhook-id']} ${one.body}`)).size).toBe(1)
  expect(receiver.received).toHaveLength(8)
  const attempts = await attemptsOf(row.id)
  expect(attempts.map((one) => one.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(attempts[0]).toEqual({ number: 1, status_code: 500, error: 'status_500', response: 'broken' })
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

test.each([
  ['in seconds', () => '3600', HOUR],
  ['as a date', () => new Date(system.now() + HOUR).toUTCString(), HOUR],
  ['beyond a day, held to a day', () => String(3 * 86_400), DAY],
])('Retry-After is honoured: %s', async (_, header, expected) => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response('slow down', { status: 429, headers: { 'Retry-After': header() } }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', last_error: 'status_429' })
  expect(Math.abs(row.next_attempt_at - system.now() - expected)).toBeLessThan(3_000)
})

test('410 disables the subscription and notifies its owner; what follows waits', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 410 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  await settled(id, { status: 'failed', last_status_code: 410 })
  const { body } = await request(tenant, 'GET', `/v1/events/subscriptions/${id}`)
  expect(body).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
  expect(await notices(tenant.userId)).toMatchObject([
    { code: 'subscription.disabled', reason: 'gone', subscription_id: id },
  ])
  await fanOutDone(await publish(tenant))
  expect((await deliveriesOf(id)).map((row) => row.status)).toEqual(['failed', 'waiting'])
})

test('five days of nothing but failures disable the subscription, once, and notify its owner', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 503 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  await settled(id, { status: 'pending', attempts: 1 })
  moveClock(4 * DAY)
  await runSweep('deliveries.resend')
  await settled(id, { attempts: 2 })
  expect(await statusOf(id)).toMatchObject({ status: 'active' })
  moveClock(DAY + HOUR)
  await runSweep('deliveries.resend')
  await settled(id, { status: 'waiting', attempts: 3 })
  expect(await statusOf(id)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' })
  expect(await notices(tenant.userId)).toMatchObject([{ code: 'subscription.disabled', reason: 'failing' }])
})

test('a success in between starts the five days anew', async () => {
  const tenant = await newTenant()
  let answer = 503
  const receiver = newReceiver(() => new Response(null, { status: answer }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  expect(await statusOf(id)).toMatchObject({ failing_since: expect.any(Number) })
  answer = 204
  moveClock(10_000)
  await deliverNow(row.id)
  await settled(id, { status: 'delivered', attempts: 2 })
  expect(await statusOf(id)).toMatchObject({ failing_since: null })
})

test('paused: nothing goes out, everything waits, and goes out on resume', async () => {
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
  await vi.waitFor(() => expect(receiver.received).toHaveLength(3))
})

test('paused with a delivery in flight: the attempt is finished, the next one waits', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(async () => {
    await request(tenant, 'PATCH', `/v1/events/subscriptions/${id}`, { status: 'paused' })
    return new Response(null, { status: 500 })
  })
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  expect(await settled(id, { status: 'waiting' })).toMatchObject({ attempts: 1, last_error: 'status_500' })
})

test('deleted with deliveries in flight: nothing more is sent', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  await request(tenant, 'DELETE', `/api/events/subscriptions/${id}`)
  moveClock(HOUR)
  await deliverNow(row.id)
  await runSweep('deliveries.resend')
  await settled(id, { status: 'expired' })
  expect(receiver.received).toHaveLength(1)
})

test('owner demoted with deliveries in flight: what they may not hear any more is not sent', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'viewer')
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(member, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  await db.write('delete from workspace_members where user_id = ?', member.userId)
  moveClock(HOUR)
  await deliverNow(row.id)
  await settled(id, { status: 'failed', last_error: 'access_lost' })
  expect(receiver.received).toHaveLength(1)
})

test('a consumer killed after sending and before recording: delivered again with the same webhook-id', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'delivered' })
  // What the database holds when a consumer dies between the answer and the commit.
  await db.write(
    `update deliveries set status = 'sending', attempts = 0, lease_id = 'dead', lease_until = ?, resend_at = ? where id = ?`,
    system.now() + MINUTE,
    system.now() + 2 * MINUTE,
    row.id,
  )
  await deliverNow(row.id)
  expect(receiver.received).toHaveLength(1)
  moveClock(3 * MINUTE)
  await runSweep('deliveries.resend')
  await settled(id, { status: 'delivered', attempts: 1 })
  expect(receiver.received.map((one) => one.headers['webhook-id'])).toEqual([row.id, row.id])
})

test('two consumers on one delivery, and duplicates of the queue: one request', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const eventId = await publish(tenant)
  await fanOutDone(eventId)
  const [row] = await deliveriesOf(id)
  await Promise.all(Array.from({ length: 8 }, () => deliverNow(row!.id)))
  await settled(id, { status: 'delivered', attempts: 1 })
  await system.queues.send('events', [{ ids: [eventId] }, { ids: [eventId] }])
  await system.queues.send('delivery', [{ id: row!.id }, { id: row!.id }])
  await deliverNow(row!.id)
  expect(receiver.received).toHaveLength(1)
  expect(await deliveriesOf(id)).toHaveLength(1)
})

test('a lost delivery message is sent again by the sweep', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: receiver.received.length > 1 ? 200 : 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  await settled(id, { status: 'pending', attempts: 1 })
  moveClock(HOUR)
  await runSweep('deliveries.resend')
  await settled(id, { status: 'delivered', attempts: 2 })
  expect(receiver.received).toHaveLength(2)
})

test('a receiver down for an hour: everything arrives afterwards', async () => {
  const tenant = await newTenant()
  const start = system.now()
  const receiver = newReceiver(() => new Response(null, { status: system.now() < start + HOUR ? 502 : 200 }))
  const id = await subscribe(tenant, receiver)
  for (let n = 0; n < 5; n += 1) await publish(tenant, { n })
  await vi.waitFor(async () => expect((await deliveriesOf(id)).map((row) => row.attempts)).toEqual([1, 1, 1, 1, 1]))
  for (let minute = 0; minute < 300; minute += 10) {
    moveClock(10 * MINUTE)
    for (const row of await deliveriesOf(id)) await deliverNow(row.id)
  }
  expect((await deliveriesOf(id)).map((row) => row.status)).toEqual(Array.from({ length: 5 }, () => 'delivered'))
})

test('what is not sent within seven days expires: listed, recoverable, owner notified once', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const patch = (status: string) => request(tenant, 'PATCH', `/v1/events/subscriptions/${id}`, { status })
  await patch('paused')
  for (let n = 0; n < 2; n += 1) await fanOutDone(await publish(tenant, { n }))
  const since = new Date(system.now() - MINUTE).toISOString()
  moveClock(7 * DAY + MINUTE)
  await Promise.all([runSweep('deliveries.expire'), runSweep('deliveries.expire')])
  const { body } = await request(tenant, 'GET', `/v1/events/subscriptions/${id}/deliveries?status=expired`)
  expect(body.data).toHaveLength(2)
  expect(await notices(tenant.userId)).toMatchObject([{ code: 'deliveries.expired', subscription_id: id }])
  await patch('active')
  expect(receiver.received).toHaveLength(0)
  const recovered = await request(tenant, 'POST', `/v1/events/subscriptions/${id}/recover`, { since })
  expect(recovered).toMatchObject({ status: 202, body: { recovered: 2, has_more: false } })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2))
})

test('deliveries of one batch ask the name and the gate of their subscription once', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const patch = (status: string) => request(tenant, 'PATCH', `/v1/events/subscriptions/${id}`, { status })
  await patch('paused')
  for (let n = 0; n < 4; n += 1) await fanOutDone(await publish(tenant, { n }))
  const ids = (await deliveriesOf(id)).map((row) => row.id)
  await db.write(`update subscriptions set status = 'active' where id = ?`, id)
  await db.write(`update deliveries set status = 'pending' where subscription_id = ?`, id)
  const addresses = vi.fn<() => Promise<string[]>>(async () => ['93.184.215.14'])
  const takeSlots = vi.fn<(_: string, bookings: readonly boolean[]) => Promise<number[]>>()
  const parts = {
    ...system,
    config: { ...system.config, allowPrivateWebhooks: false },
    resolver: { addresses },
    hub: () => ({ ...system.hub(tenant.routingId), takeSlots }),
    queues: { send: async () => undefined },
  }
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  takeSlots.mockResolvedValueOnce([0, 1_000, 2_000, 0])
  await deliver(parts, db.metered(meter), ids)
  expect([addresses.mock.calls.length, takeSlots.mock.calls]).toEqual([1, [[id, [false, false, false, false]]]])
  // The claim, the two that wait together, the two that were sent.
  expect(meter.roundTrips).toBe(4)
  expect(receiver.received).toHaveLength(2)
  const waiting = (await deliveriesOf(id)).filter((row) => row.status === 'pending')
  expect(waiting).toMatchObject([
    { attempts: 0, booked: 1 },
    { attempts: 0, booked: 1 },
  ])
  expect(waiting[1]!.next_attempt_at - waiting[0]!.next_attempt_at).toBe(1_000)
})

test('typing events are not retried', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant, {}, { type: 'typing.start' })
  expect(await settled(id, { status: 'failed', attempts: 1 })).toMatchObject({ event_type: 'typing.start' })
})

test('a database that is away right after sending is asked again: recorded, and not sent twice', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: receiver.received.length > 1 ? 200 : 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  moveClock(MINUTE)
  let calls = 0
  const flaky = new Proxy(db, {
    get: (target, name: keyof typeof db) =>
      name === 'batch' && receiver.received.length > 1 && (calls += 1) === 1
        ? () => Promise.reject(new Error('away'))
        : target[name].bind(target),
  })
  await deliver(system, flaky, [row.id])
  expect(calls).toBe(2)
  await settled(id, { status: 'delivered', attempts: 2 })
  expect(receiver.received).toHaveLength(2)
})

test('a record whose commit went through though its answer was lost is one attempt in the log', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  moveClock(MINUTE)
  let calls = 0
  const deaf = new Proxy(db, {
    get: (target, name: keyof typeof db) =>
      name === 'batch' && receiver.received.length > 1 && (calls += 1) === 1
        ? async (statements: Parameters<typeof db.batch>[0]) => {
            await target.batch(statements)
            throw new Error('the answer is lost')
          }
        : target[name].bind(target),
  })
  await deliver(system, deaf, [row.id])
  expect(calls).toBe(2)
  await settled(id, { status: 'pending', attempts: 2 })
  expect((await attemptsOf(row.id)).map((one) => one.number)).toEqual([1, 2])
})

const statusOf = (id: string) => db.first<Record<string, unknown>>('select * from subscriptions where id = ?', id)

const notices = async (userId: string) =>
  (
    await db.all<{ data: string }>(
      `select data from events where type = 'system.notification' and targets = ?`,
      JSON.stringify([userId]),
    )
  ).map(({ data }) => JSON.parse(data))
