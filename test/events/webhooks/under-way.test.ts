import { expect, test, vi } from 'vitest'
import { travel } from '../../support/clock.ts'
import { newReceiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { deliverNow, publish, settled, subscribe } from '../../support/webhooks.ts'
import { newTenant, system } from '../../support/world.ts'

/** Attempts of one user that may be under way. */
const MOST = 50
const none = (count: number) => Array<boolean>(count).fill(false)

test('contract §6: with 50 attempts of one user under way a delivery of any subscription waits without using an attempt, and those of others do not', async () => {
  travel(0)
  const [slow, other] = [await newTenant(), await newTenant()]
  const hub = system.hub(slow.routingId)
  // Their receivers do not answer.
  expect(await hub.reserveDeliveries('sub_mute', none(MOST + 1))).toEqual([...none(MOST).map(() => 0), 300])
  const [receiver, prompt] = [newReceiver(), newReceiver()]
  const id = await subscribe(slow, receiver)
  await publish(slow)
  const waiting = await settled(id, { status: 'pending', attempts: 0, booked: 1 })
  expect(waiting.next_attempt_at).toBe(system.now() + 600)
  await subscribe(other, prompt)
  await publish(other)
  await until(() => expect(prompt.received).toHaveLength(1))
  expect(receiver.received).toEqual([])

  await hub.endDeliveries(1)
  travel(600)
  await deliverNow(waiting.id)
  await settled(id, { status: 'delivered', attempts: 1 })
})

test('an attempt that ended, whatever came of it, is no longer under way', async () => {
  const user = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(user, receiver)
  await publish(user)
  await settled(id, { status: 'pending', attempts: 1 })
  await until(async () => {
    const waits = await system.hub(user.routingId).reserveDeliveries(`sub_${crypto.randomUUID()}`, none(MOST))
    await system.hub(user.routingId).endDeliveries(MOST)
    expect(waits).toEqual(none(MOST).map(() => 0))
  })
})

test('a hub that does not hear of the end costs a line of the log, and no delivery', async () => {
  travel(0)
  const user = await newTenant()
  const hub = system.hub(user.routingId)
  await hub.reserveDeliveries('sub_mute', none(MOST))
  const id = await subscribe(user, newReceiver())
  await publish(user)
  const { id: delivery } = await settled(id, { status: 'pending', booked: 1 })
  await hub.endDeliveries(MOST)
  travel(15_000)
  const error = vi.fn()
  const deaf = { ...hub, endDeliveries: () => Promise.reject(new Error('away')) }
  await deliverNow(delivery, { hub: () => deaf, log: { ...system.log, error } })
  await settled(id, { status: 'delivered', attempts: 1 })
  await until(() =>
    expect(error).toHaveBeenCalledWith({ event: 'delivery.not_ended', subscription_id: id }, expect.any(Error)),
  )
})
