/** @module-tag long */
import { bound } from '../../support/bound.ts'
import { expect, test } from 'vitest'
import { type ClaimedDelivery } from '../../../src/events/webhooks/claim.ts'
import { deliver } from '../../../src/events/webhooks/deliver.ts'
import { record, type DeliveryAttempt } from '../../../src/events/webhooks/record.ts'
import { DAY, HOUR, MINUTE, travel } from '../../support/clock.ts'
import { newReceiver } from '../../support/receiver.ts'
import {
  attemptsOf,
  deliveriesOf,
  deliverNow,
  fanOutDone,
  claimTwo,
  notices,
  publish,
  request,
  runSweep,
  settled,
  subscribe,
} from '../../support/webhooks.ts'
import { db, newTenant, system } from '../../support/world.ts'

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
    travel(wait + 1)
    await deliverNow(row.id)
  }
  const row = await settled(id, { status: 'failed', attempts: 8 })
  expect(new Set(receiver.received.map((one) => `${one.headers['webhook-id']} ${one.body}`)).size).toBe(1)
  expect(receiver.received).toHaveLength(8)
  const attempts = await attemptsOf(row.id)
  expect(attempts.map((one) => one.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(attempts[0]).toEqual({ number: 1, status_code: 500, error: 'status_500', response: 'broken' })
})

test.each([
  ['in seconds', () => '3600', HOUR],
  ['as a date', () => new Date(system.now() + HOUR).toUTCString(), HOUR],
  ['beyond a day, held to a day', () => String(3 * 86_400), DAY],
])('Retry-After is honoured: %s', async (_, header, expected) => {
  travel(0)
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response('slow down', { status: 429, headers: { 'Retry-After': header() } }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', last_error: 'status_429' })
  // A date has whole seconds.
  expect(Math.abs(row.next_attempt_at - system.now() - expected)).toBeLessThan(1_000)
})

test('410 disables the subscription and notifies its owner; later deliveries wait', async () => {
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
  travel(4 * DAY)
  await runSweep('deliveries.resend')
  await settled(id, { attempts: 2 })
  expect(await statusOf(id)).toMatchObject({ status: 'active' })
  travel(DAY + HOUR)
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
  travel(10_000)
  await deliverNow(row.id)
  await settled(id, { status: 'delivered', attempts: 2 })
  expect(await statusOf(id)).toMatchObject({ failing_since: null })
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

test('typing events are not retried', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant, {}, { type: 'typing.start' })
  expect(await settled(id, { status: 'failed', attempts: 1 })).toMatchObject({ event_type: 'typing.start' })
})

test('a record whose commit succeeded without an answer is one attempt in the log', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  travel(MINUTE)
  let calls = 0
  const deaf = new Proxy(db, {
    get: (target, name: keyof typeof db) =>
      name === 'batch' && receiver.received.length > 1 && (calls += 1) === 1
        ? async (statements: Parameters<typeof db.batch>[0]) => {
            await target.batch(statements)
            throw new Error('the answer is lost')
          }
        : bound(target, name),
  })
  await deliver(system, deaf, [row.id])
  expect(calls).toBe(2)
  await settled(id, { status: 'pending', attempts: 2 })
  expect((await attemptsOf(row.id)).map((one) => one.number)).toEqual([1, 2])
})

const attempt = (delivery: ClaimedDelivery, statusCode: number): DeliveryAttempt => ({
  delivery,
  attemptId: system.newId('att'),
  startedAt: system.now(),
  durationMs: 1,
  statusCode,
  error: statusCode === 200 ? null : `status_${statusCode}`,
  response: 'said "no"\n',
  retryAfterMs: null,
})

test.each([
  [[500, 200], { status: 'active', disabled_reason: null, failing_since: null }, ['pending', 'delivered']],
  [[500, 500], { status: 'disabled', disabled_reason: 'failing' }, ['waiting', 'waiting']],
  [[200, 410], { status: 'disabled', disabled_reason: 'gone' }, ['delivered', 'failed']],
])('attempts with the statuses %j that are recorded together: %j', async (codes, health, statuses) => {
  const { id, claimed } = await claimTwo(await newTenant(), system.now() - 6 * DAY)
  const quiet = { ...system, queues: { send: async () => undefined } }
  const attemptsMade = claimed.map((one, index) => attempt(one, codes[index] ?? 0))
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  await record(quiet, db.metered(meter), attemptsMade)
  await record(quiet, db, attemptsMade)
  expect(meter.roundTrips).toBe(1)
  expect(await statusOf(id)).toMatchObject(health)
  const byId = new Map((await deliveriesOf(id)).map((row) => [row.id, row]))
  const rows = claimed.map((one) => byId.get(one.delivery_id))
  expect(rows.map((row) => row?.status)).toEqual(statuses)
  for (const [index, row] of rows.entries()) {
    expect(row).toMatchObject({ attempts: 1, last_status_code: codes[index], lease_id: null })
    expect(await attemptsOf(row!.id)).toMatchObject([{ number: 1, status_code: codes[index], response: 'said "no"\n' }])
  }
})

const statusOf = (id: string) => db.first<Record<string, unknown>>('select * from subscriptions where id = :id', { id })

test('an attempt is logged in one line, with ids and the outcome, without the request and the response', async () => {
  const { id, claimed } = await claimTwo(await newTenant())
  const lines: object[] = []
  const logging = { ...system, log: { info: (line: object) => void lines.push(line), error: () => {} } }
  await record(
    logging,
    db,
    claimed.map((one) => attempt(one, 500)),
  )
  expect(lines).toEqual(
    claimed.map((one) => ({
      event: 'delivery.attempt',
      delivery_id: one.delivery_id,
      subscription_id: id,
      attempt: 1,
      status_code: 500,
      error: 'status_500',
      duration_ms: expect.any(Number),
      outcome: 'pending',
    })),
  )
})
