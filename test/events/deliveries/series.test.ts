/** @module-tag shards */
import { expect, test } from 'vitest'
import { MAX_DELIVERIES } from '../../../src/events/deliveries/series.ts'
import { iso } from '../../../src/core/values/clock.ts'
import { HOUR, travel } from '../../support/clock.ts'
import { addKey, call, db, newTenant } from '../../support/world.ts'
import { storeDeliveries, subscribe } from '../../support/webhooks.ts'
import { newReceiver } from '../../support/receiver.ts'

const NOON = Date.UTC(2026, 9, 20, 12)
const RANGE = `since=${iso(NOON - 2 * HOUR)}&until=${iso(NOON + HOUR)}`

const series = (key: string, query = '') => call('GET', `/v1/events/delivery-series?${RANGE}${query}`, { key })

test('GET /v1/events/delivery-series answers outcomes and latencies by step and subscription (contract §5)', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const [one, two] = [await subscribe(tenant, receiver), await subscribe(tenant, receiver)]
  await storeDeliveries(tenant, one, NOON - 1, 'delivered', 100, 101, 4_000_000)
  await storeDeliveries(tenant, one, NOON - HOUR - 1, 'failed', 1)
  await storeDeliveries(tenant, one, NOON, 'expired', 1, 1)
  await storeDeliveries(tenant, one, NOON + HOUR, 'delivered', 1)
  await storeDeliveries(tenant, two, NOON, 'pending', 1)
  await storeDeliveries(tenant, two, NOON, 'waiting', 1)
  const { status, body } = await series(tenant.key)
  expect(status).toBe(200)
  const none = { delivered: 0, failed: 0, expired: 0, open: 0, latencies: Array.from({ length: 11 }, () => 0) }
  expect(body).toMatchObject({
    bounds_ms: [100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000, 300_000, 3_600_000],
    truncated: false,
  })
  const hours = { [one]: [{}], [two]: [{}] }
  for (const id of [one, two]) hours[id] = body.data.filter((point: any) => point.subscription_id === id)
  expect(hours[one]).toEqual([
    { ...none, at: iso(NOON - 2 * HOUR), subscription_id: one, failed: 1 },
    { ...none, at: iso(NOON - HOUR), subscription_id: one, delivered: 3, latencies: [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
    { ...none, at: iso(NOON), subscription_id: one, expired: 2 },
  ])
  expect(hours[two]).toEqual([{ ...none, at: iso(NOON), subscription_id: two, open: 2 }])
  expect((await series(tenant.key, `&subscription_id=${two}`)).body.data).toEqual(hours[two])
})

test('the newest deliveries of a subscription are in it, and `truncated` says that there are more (contract §5)', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, newReceiver())
  const many = Array.from({ length: MAX_DELIVERIES - 1 }, () => 1)
  await storeDeliveries(tenant, id, NOON, 'delivered', ...many)
  expect((await series(tenant.key)).body).toMatchObject({ truncated: false, data: [{ delivered: many.length }] })
  await storeDeliveries(tenant, id, NOON - 1, 'delivered', 1, 1)
  expect((await series(tenant.key)).body).toMatchObject({
    truncated: true,
    data: [{ at: iso(NOON - HOUR), delivered: 1 }, { delivered: many.length }],
  })
})

test('contract §5: the newest 20 subscriptions are in it, and `truncated` says that there are more', async () => {
  const tenant = await newTenant()
  const made: string[] = []
  const add = async () => {
    // Past the limits, of ten subscriptions an hour and of a key.
    travel(made.length % 10 === 0 ? HOUR + 1 : 1_000)
    const id = await subscribe(tenant, newReceiver())
    // One after the other, whatever the clock says.
    await db.write('update subscriptions set created_at = :created_at where id = :id', {
      created_at: NOON + made.length,
      id,
    })
    await storeDeliveries(tenant, id, NOON, 'delivered', 1)
    made.push(id)
  }
  const shown = async () => {
    const { body } = await series(tenant.key)
    const ids = new Set<string>(body.data.map((point: { subscription_id: string }) => point.subscription_id))
    return { truncated: body.truncated, ids: [...ids].toSorted() }
  }
  for (let nth = 0; nth < 20; nth += 1) await add()
  expect(await shown()).toEqual({ truncated: false, ids: made.toSorted() })
  await add()
  expect(await shown()).toEqual({ truncated: true, ids: made.slice(1).toSorted() })
  const { body } = await series(tenant.key, `&subscription_id=${made[0]}&subscription_id=${made[1]}`)
  expect(body.truncated).toBe(false)
  expect(body.data.map((point: { subscription_id: string }) => point.subscription_id).toSorted()).toEqual(
    made.slice(0, 2).toSorted(),
  )
  expect((await series(tenant.key, made.map((id) => `&subscription_id=${id}`).join(''))).status).toBe(422)
})

test("security 26, 27: another's subscription is 404, and a key with permissions sees those that it made", async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const id = await subscribe(theirs, newReceiver())
  await storeDeliveries(theirs, id, NOON, 'delivered', 1)
  expect((await series(mine.key, `&subscription_id=${id}`)).status).toBe(404)
  const own = await subscribe(mine, newReceiver())
  expect((await series(mine.key, `&subscription_id=${own}&subscription_id=${id}`)).status).toBe(404)
  expect((await series(mine.key)).body.data).toEqual([])
  const permissions = [{ project_id: theirs.projectId, access: 'write' as const }]
  const { secret } = await addKey(theirs, { permissions })
  expect((await series(secret)).body.data).toEqual([])
  expect((await series(secret, `&subscription_id=${id}`)).status).toBe(404)
  expect((await series(theirs.key)).body.data).toHaveLength(1)
})

test.for(['step=5m', 'since=2026-01-01T00:00:00Z', 'subscription_id=sub'])('%s is 422', async (query) => {
  const { key } = await newTenant()
  expect((await call('GET', `/v1/events/delivery-series?${query}`, { key })).status).toBe(422)
})
