import { expect, test } from 'vitest'
import { travel } from '../../support/clock.ts'
import { newReceiver } from '../../support/receiver.ts'
import { deliveriesOf, deliverNow, fanOutDone, publish, runSweep, settled, subscribe } from '../../support/webhooks.ts'
import { db, newTenant, system } from '../../support/world.ts'

const MINUTE = 60_000

test('a consumer killed after sending and before recording: delivered again with the same webhook-id', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'delivered' })
  // The row as a consumer leaves it that dies between the response and its commit.
  await db.write(
    `update deliveries set status = 'sending', attempts = 0, lease_id = 'dead', lease_until = :lease_until, resend_at = :resend_at where id = :id`,
    { lease_until: system.now() + MINUTE, resend_at: system.now() + 2 * MINUTE, id: row.id },
  )
  await deliverNow(row.id)
  expect(receiver.received).toHaveLength(1)
  travel(3 * MINUTE)
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
