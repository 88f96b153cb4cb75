import { expect, test } from 'vitest'
import { ringOf } from '../../support/key-ring.ts'
import { HOUR, travel } from '../../support/clock.ts'
import { newReceiver } from '../../support/receiver.ts'
import { newTenant, system } from '../../support/world.ts'
import { deliveriesOf, deliverNow, publish, settled, subscribe } from '../../support/webhooks.ts'

test('a rotated key ring still opens secrets and headers of deliveries in flight', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: receiver.received.length > 1 ? 200 : 500 }))
  const id = await subscribe(tenant, receiver, {}, { 'X-Key': 'kept' })
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  travel(HOUR)
  const [newest] = ringOf(`new:${btoa('a key ring that was rotated'.padEnd(32, '.'))}`)
  await deliverNow(row.id, { dataKeys: [newest, ...system.dataKeys] })
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered' }])
  expect(receiver.received[1]?.headers['x-key']).toBe('kept')
})

test('a key ring without the key stops the delivery before sending, without using an attempt', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  travel(HOUR)
  await deliverNow(row.id, { dataKeys: ringOf(`x:${btoa('another key'.padEnd(32, '.'))}`) })
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 1, last_error: 'not_sent' }])
  expect(receiver.received).toHaveLength(1)
})
