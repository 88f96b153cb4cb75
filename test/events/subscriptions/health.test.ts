/** @module-tag shards */
import { expect, test } from 'vitest'
import { MAX_COUNTED_DELIVERIES } from '../../../src/events/subscriptions/health.ts'
import { record, type DeliveryAttempt } from '../../../src/events/webhooks/record.ts'
import migration from '../../../migrations/main/0034_webhook_health.sql?raw'
import { DAY, HOUR, MINUTE, travel } from '../../support/clock.ts'
import { newReceiver } from '../../support/receiver.ts'
import {
  claimTwo,
  deliverNow,
  fanOutDone,
  publish,
  request,
  settled,
  storeDeliveries,
  subscribe,
} from '../../support/webhooks.ts'
import { addKey, call, db, newTenant, system, type Tenant } from '../../support/world.ts'

const healthOf = async (tenant: Tenant, id: string) => {
  const { body } = await request(tenant, 'GET', `/v1/events/subscriptions/${id}`)
  const { failing_since, last_attempt, last_success_at, waiting } = body
  return { failing_since, last_attempt, last_success_at, waiting }
}
const NEVER = { failing_since: null, last_attempt: null, last_success_at: null, waiting: 0 }

test('contract §5: a receiver that is down shows since when, with what, and how much waits; a success ends it', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 503 }))
  const id = await subscribe(tenant, receiver)
  expect(await healthOf(tenant, id)).toEqual(NEVER)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  const down = await healthOf(tenant, id)
  expect(down).toEqual({
    failing_since: expect.stringMatching(/Z$/),
    last_attempt: { at: down.failing_since, status_code: 503, error: 'status_503' },
    last_success_at: null,
    waiting: 1,
  })
  receiver.answer = () => {
    throw new TypeError('refused')
  }
  travel(MINUTE)
  await deliverNow(row.id)
  const still = await healthOf(tenant, id)
  expect(still).toMatchObject({
    failing_since: down.failing_since,
    last_attempt: { status_code: null, error: 'connection_failed' },
  })
  expect(Date.parse(still.last_attempt.at)).toBeGreaterThan(Date.parse(down.failing_since))

  receiver.answer = () => new Response(null, { status: 204 })
  travel(HOUR)
  await deliverNow(row.id)
  const healthy = await healthOf(tenant, id)
  expect(healthy).toEqual({
    failing_since: null,
    last_attempt: { at: expect.any(String), status_code: 204, error: null },
    last_success_at: expect.any(String),
    waiting: 0,
  })
  expect(Date.parse(healthy.last_success_at)).toBeGreaterThanOrEqual(Date.parse(healthy.last_attempt.at))
  const { body: list } = await request(tenant, 'GET', '/api/events/subscriptions')
  expect(list.subscriptions[0]).toMatchObject(healthy)
})

test('a disabled subscription keeps what its last attempt was, and counts what is held; a resume ends the run', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 410 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  await settled(id, { status: 'failed' })
  await fanOutDone(await publish(tenant))
  expect(await healthOf(tenant, id)).toMatchObject({
    failing_since: expect.any(String),
    last_attempt: { status_code: 410, error: 'status_410' },
    waiting: 1,
  })
  receiver.answer = () => new Response('ok')
  const { body } = await request(tenant, 'PATCH', `/v1/events/subscriptions/${id}`, { status: 'active' })
  expect(body).toMatchObject({ failing_since: null, last_attempt: { status_code: 410 }, waiting: 1 })
})

test(`what waits is counted to ${MAX_COUNTED_DELIVERIES}`, async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, newReceiver())
  const many = Array.from({ length: MAX_COUNTED_DELIVERIES + 5 }, () => 0)
  await storeDeliveries(tenant, id, system.now(), 'waiting', ...many)
  await storeDeliveries(tenant, id, system.now(), 'delivered', 1)
  expect((await healthOf(tenant, id)).waiting).toBe(MAX_COUNTED_DELIVERIES)
})

test('security 26: the health of a foreign subscription is a 404; a key that may only write gets none of it', async () => {
  const [tenant, stranger] = [await newTenant(), await newTenant()]
  const id = await subscribe(tenant, newReceiver())
  const path = `/v1/events/subscriptions/${id}`
  expect((await request(stranger, 'GET', path)).status).toBe(404)
  const { secret } = await addKey(tenant, { scopes: ['write:events'] })
  const { body } = await call('PATCH', path, { key: secret, body: { status: 'paused' } })
  expect(Object.keys(body).toSorted()).toEqual(['created_at', 'subscription_id'])
})

const attemptAt = (delivery: DeliveryAttempt['delivery'], startedAt: number, statusCode: number): DeliveryAttempt => ({
  delivery,
  attemptId: system.newId('att'),
  startedAt,
  durationMs: 10,
  statusCode,
  error: statusCode === 200 ? null : `status_${statusCode}`,
  response: '',
  retryAfterMs: null,
})
const quiet = { ...system, queues: { send: async () => undefined } }

test('twice at once: a slow failure that is recorded after a later success begins no run and disables nothing', async () => {
  const tenant = await newTenant()
  // Claimed while it had failed for six days.
  const { id, claimed } = await claimTwo(tenant, system.now() - 6 * DAY)
  const [slow, fast] = claimed
  const now = system.now()
  await record(quiet, db, [attemptAt(fast!, now - 5_000, 200)])
  await record(quiet, db, [attemptAt(slow!, now - 20_000, 500)])
  const { body } = await request(tenant, 'GET', `/v1/events/subscriptions/${id}`)
  expect(body).toMatchObject({
    status: 'active',
    failing_since: null,
    last_attempt: { at: new Date(now - 5_000).toISOString(), status_code: 200, error: null },
    last_success_at: new Date(now - 4_990).toISOString(),
    waiting: 1,
  })
})

test('twice at once: a success that is recorded late ends no run of failures that began after it', async () => {
  const tenant = await newTenant()
  const { id, claimed } = await claimTwo(tenant)
  const [early, late] = claimed
  const now = system.now()
  await record(quiet, db, [attemptAt(late!, now - 5_000, 503)])
  await record(quiet, db, [attemptAt(early!, now - 20_000, 200)])
  expect(await healthOf(tenant, id)).toMatchObject({
    failing_since: new Date(now - 5_000).toISOString(),
    last_attempt: { at: new Date(now - 5_000).toISOString(), status_code: 503 },
    last_success_at: new Date(now - 19_990).toISOString(),
  })
})

test('twice at once: of failures that are recorded in the other order, the later start is the last attempt', async () => {
  const tenant = await newTenant()
  const { id, claimed } = await claimTwo(tenant)
  const [first, second] = claimed
  const now = system.now()
  await record(quiet, db, [attemptAt(second!, now - 1_000, 502)])
  await record(quiet, db, [attemptAt(first!, now - 9_000, 500)])
  expect(await healthOf(tenant, id)).toMatchObject({
    failing_since: new Date(now - 1_000).toISOString(),
    last_attempt: { at: new Date(now - 1_000).toISOString(), status_code: 502 },
  })
})

test('old rows: the migration finds the newest success, and an older Worker that knows no such columns is no fault', async () => {
  const tenant = await newTenant()
  const [used, unused, failed] = [
    await subscribe(tenant, newReceiver()),
    await subscribe(tenant, newReceiver()),
    await subscribe(tenant, newReceiver()),
  ]
  const at = system.now() - DAY
  await storeDeliveries(tenant, used, at - HOUR, 'delivered', 100)
  await storeDeliveries(tenant, used, at, 'delivered', 300)
  await storeDeliveries(tenant, used, at + HOUR, 'failed', 0)
  // The walk ends here.
  await storeDeliveries(tenant, failed, at, 'delivered', 100)
  await storeDeliveries(tenant, failed, at + HOUR, 'failed', ...Array.from({ length: 1_000 }, () => 0))
  await db.write(migration.split('--> statement-breakpoint').at(-1) ?? '', {})
  // What an older Worker writes after a failure.
  await db.write('update subscriptions set failing_since = :at where id = :id', { at: at + HOUR, id: used })
  expect(await healthOf(tenant, used)).toEqual({
    ...NEVER,
    failing_since: new Date(at + HOUR).toISOString(),
    last_success_at: new Date(at + 300).toISOString(),
  })
  for (const id of [unused, failed]) expect(await healthOf(tenant, id)).toEqual(NEVER)
})
