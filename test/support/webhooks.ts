import { expect } from 'vitest'
import type { System } from '../../src/core/context.ts'
import { claim } from '../../src/events/webhooks/claim.ts'
import { deliver } from '../../src/events/webhooks/deliver.ts'
import type { DeliveryRow } from '../../src/events/deliveries/delivery.ts'
import { eventSweeps } from '../../src/events/index.ts'
import { newReceiver, type Receiver } from './receiver.ts'
import { until } from './until.ts'
import { addKey, call, db, system, type Tenant } from './world.ts'

/** Helpers of the webhook tests: each goes the way that a client, the queue or the clock would. */

/** A request with a key of its own, so that only the limit under test is met. */
export async function request(tenant: Tenant, method: string, path: string, body?: object) {
  const { secret } = await addKey(tenant)
  return call(method, path, { key: secret, ...(body ? { body } : {}) })
}

export async function subscribe(tenant: Tenant, receiver: Pick<Receiver, 'url'>, extra: object = {}, headers?: object) {
  const { status, body } = await call('POST', '/api/events/subscriptions', {
    key: tenant.key,
    body: {
      channels: ['conversation'],
      delivery: { method: 'webhook', url: receiver.url, ...(headers ? { headers } : {}) },
      ...extra,
    },
  })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.subscription_id as string
}

export async function publish(tenant: Tenant, data: object = {}, extra: object = {}): Promise<string> {
  const { status, body } = await request(tenant, 'POST', '/api/events/publish', {
    type: 'message.new',
    data: { conversation_id: 'c1', ...data },
    ...extra,
  })
  expect({ status, body }).toMatchObject({ status: 202 })
  return body.event_id as string
}

export const deliveriesOf = (subscriptionId: string): Promise<DeliveryRow[]> =>
  db.all('select * from deliveries where subscription_id = :subscription order by created_at, id', {
    subscription: subscriptionId,
  })

/** Waits for the one delivery of a subscription to reach a state. */
export async function settled(subscriptionId: string, state: object): Promise<DeliveryRow> {
  return until(async () => {
    const [row] = await deliveriesOf(subscriptionId)
    expect(row).toMatchObject(state)
    return row!
  })
}

export const fanOutDone = (eventId: string) =>
  until(async () =>
    expect(await db.first('select settled_at from events where id = :event', { event: eventId })).toMatchObject({
      settled_at: expect.any(Number),
    }),
  )

export const attemptsOf = (deliveryId: string) =>
  db.all<{ number: number; status_code: number | null; error: string | null; response: string }>(
    'select number, status_code, error, response from delivery_attempts where delivery_id = :delivery order by number',
    { delivery: deliveryId },
  )

/** What the queue would do with a message for this delivery, under a system with other parts if wanted. */
export const deliverNow = (id: string, parts: Partial<System> = {}): Promise<void> =>
  deliver({ ...system, ...parts }, db, [id])

/** Messages of other tests wait in the queue, for which a local sweep of deliveries would wait. */
async function withoutDeliveries() {
  return { ...(await system.queueBacklogs()), delivery: { messages: 0, oldestAt: null } }
}

export async function runSweep(name: string, parts: Partial<System> = {}): Promise<void> {
  const one = eventSweeps.find((sweep) => sweep.name === name)
  if (!one) throw new Error(`no sweep ${name}`)
  await one.run({ ...system, queueBacklogs: withoutDeliveries, ...parts })
}

/** What the service notified a user of. */
export async function notices(userId: string): Promise<Record<string, unknown>[]> {
  const rows = await db.all<{ data: string }>(
    `select data from events where type = 'system.notification' and targets = :targets`,
    { targets: JSON.stringify([userId]) },
  )
  return rows.map(({ data }) => JSON.parse(data) as Record<string, unknown>)
}

/** Two claimed deliveries of a subscription that has been failing since `failingSince`. */
export async function claimTwo(tenant: Tenant, failingSince: number | null = null) {
  const id = await subscribe(tenant, newReceiver())
  await request(tenant, 'PATCH', `/v1/events/subscriptions/${id}`, { status: 'paused' })
  for (let n = 0; n < 2; n += 1) await fanOutDone(await publish(tenant, { n }))
  await db.batch([
    db.statement(`update subscriptions set status = 'active', failing_since = :failing_since where id = :id`, {
      failing_since: failingSince,
      id,
    }),
    db.statement(`update deliveries set status = 'pending' where subscription_id = :id`, { id }),
  ])
  const ids = (await deliveriesOf(id)).map((row) => row.id)
  return { id, claimed: await claim(system, db, ids) }
}

/** Deliveries as the consumer leaves them, `ms` after their event. */
export async function storeDeliveries(
  tenant: Tenant,
  subscription: string,
  at: number,
  status: string,
  ...latencies: number[]
) {
  await db.write(
    `insert into deliveries (id, tenant_id, subscription_id, event_id, event_type, status, next_attempt_at, resend_at,
       created_at, delivered_at, expires_at)
     select :id || key, :tenant, :subscription, :id || key, 'message.new', :status, 0, 0, :at, iif(:status = 'delivered', :at + value, null), :expires_at
     from json_each(:latencies)`,
    {
      id: system.newId('dlv'),
      tenant: tenant.tenantId,
      subscription,
      status,
      at,
      expires_at: system.now() + 86_400_000,
      latencies: JSON.stringify(latencies),
    },
  )
}
