/** @module-tag long */
import { expect, test } from 'vitest'
import { deliveryConsumer } from '../../../src/events/index.ts'
import { DAY, MINUTE, travel } from '../../support/clock.ts'
import { messageOf } from '../../support/queue-message.ts'
import { newReceiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { deliveriesOf, fanOutDone, publish, request, runSweep, settled, subscribe } from '../../support/webhooks.ts'
import { db, newTenant, system } from '../../support/world.ts'

test('deliveries of dead letters go back to the sweep, with an alert line', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: receiver.received.length > 1 ? 200 : 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  await db.write('update deliveries set resend_at = :resend_at where id = :id', {
    resend_at: system.now() + DAY,
    id: row.id,
  })
  const lines: unknown[] = []
  await deliveryConsumer.onDeadLetters({ ...system, log: { info: () => {}, error: (line) => lines.push(line) } }, [
    messageOf({ id: row.id }),
  ])
  expect(lines).toEqual([{ event: 'delivery.dead_letters', alert: true, ids: [row.id] }])
  travel(MINUTE)
  await runSweep('deliveries.resend')
  expect(await settled(id, { status: 'delivered' })).toMatchObject({ attempts: 2 })
})

test('a receiver that does not answer holds up no other receiver', async () => {
  const [silent, prompt] = [await newTenant(), await newTenant()]
  let answers = false
  const mute = newReceiver(async () => {
    await until(() => expect(answers).toBe(true))
    return new Response('ok')
  })
  const held = await subscribe(silent, mute)
  await publish(silent)
  await until(() => expect(mute.received).toHaveLength(1))
  const healthy = newReceiver()
  const id = await subscribe(prompt, healthy)
  await publish(prompt)
  await settled(id, { status: 'delivered' })
  // Still under way: its attempt has no result.
  await settled(held, { status: 'sending', attempts: 0 })
  answers = true
  await settled(held, { status: 'delivered', attempts: 1 })
})

/** A subscription with one delivery that is due and has no message. */
async function dueDelivery() {
  const tenant = await newTenant()
  const id = await subscribe(tenant, newReceiver())
  await request(tenant, 'PATCH', `/v1/events/subscriptions/${id}`, { status: 'paused' })
  await fanOutDone(await publish(tenant))
  await db.batch([
    db.statement(`update subscriptions set status = 'active' where id = :id`, { id }),
    db.statement(`update deliveries set status = 'pending' where subscription_id = :id`, { id }),
  ])
  const [row] = await deliveriesOf(id)
  return { id, message: messageOf({ id: row?.id }) }
}

test('a process that dies after the batch loses nothing: the lease expires and the sweep sends', async () => {
  const { id, message } = await dueDelivery()
  const dying = { waitUntil: () => {}, fetch: () => new Promise<Response>(() => {}) }
  await deliveryConsumer.consume({ ...system, ...dying }, [message])
  await settled(id, { status: 'sending', attempts: 0 })
  expect(message.retry).not.toHaveBeenCalled()
  travel(3 * MINUTE)
  await runSweep('deliveries.resend')
  await settled(id, { status: 'delivered', attempts: 1 })
})

test('at Cloudflare a batch lasts until its deliveries are recorded', async () => {
  const { id, message } = await dueDelivery()
  const config = { ...system.config, environment: 'production' as const }
  await deliveryConsumer.consume({ ...system, config }, [message])
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempts: 1 }])
})
