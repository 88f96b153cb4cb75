/** @module-tag shards */
import { expect, test } from 'vitest'
import { newReceiver } from '../../support/receiver.ts'
import { publish, request, settled, subscribe } from '../../support/webhooks.ts'
import { newTenant } from '../../support/world.ts'

test('a delivery reads as it does in the list, and is 404 for another tenant', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, newReceiver())
  await publish(tenant)
  const row = await settled(id, { status: 'delivered' })
  const { body: list } = await request(tenant, 'GET', `/v1/events/subscriptions/${id}/deliveries`)
  const { status, body } = await request(tenant, 'GET', `/v1/events/deliveries/${row.id}`)
  expect(status).toBe(200)
  expect(body).toEqual(list.data[0])
  expect(body).toMatchObject({ id: row.id, subscription_id: id, status: 'delivered', attempts: 1 })
  expect((await request(await newTenant(), 'GET', `/v1/events/deliveries/${row.id}`)).status).toBe(404)
})
