import { expect, test } from 'vitest'
import { newReceiver } from '../../support/receiver.ts'
import { newTenant } from '../../support/world.ts'
import { attemptsOf, publish, request, settled, subscribe } from '../../support/webhooks.ts'

test('retry sends a failed delivery again under the same webhook-id', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: receiver.received.length > 1 ? 200 : 400 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant, {}, { type: 'message.updated' })
  const row = await settled(id, { status: 'pending', attempts: 1 })
  const answer = await request(tenant, 'POST', `/v1/events/deliveries/${row.id}/retry`)
  expect(answer).toMatchObject({ status: 202, body: { id: row.id, status: 'pending', attempts: 0 } })
  await settled(id, { status: 'delivered' })
  expect(receiver.received.map((one) => one.headers['webhook-id'])).toEqual([row.id, row.id])
  expect((await attemptsOf(row.id)).map((one) => one.number)).toEqual([1, 2])
})

test('a delivery of a subscription that is not active cannot be retried', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 410 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'failed' })
  expect((await request(tenant, 'POST', `/v1/events/deliveries/${row.id}/retry`)).status).toBe(409)
})
