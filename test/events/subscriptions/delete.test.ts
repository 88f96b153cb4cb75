import { expect, test } from 'vitest'
import { db, newTenant } from '../../support/world.ts'
import { request, subscribe } from '../../support/webhooks.ts'

test('DELETE /api/events/subscriptions/:subscription_id answers 200 {subscription_id, deleted: true}, then 404', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, { url: 'https://hooks.example.com/in' })
  const gone = await request(tenant, 'DELETE', `/api/events/subscriptions/${id}`)
  expect(gone).toMatchObject({ status: 200, body: { subscription_id: id, deleted: true } })
  expect((await request(tenant, 'DELETE', `/api/events/subscriptions/${id}`)).status).toBe(404)
  expect((await request(tenant, 'GET', `/v1/events/subscriptions/${id}`)).status).toBe(404)
  expect((await request(tenant, 'GET', '/api/events/subscriptions')).body.total).toBe(0)
  expect(await db.first('select secret, headers from subscriptions where id = :id', { id })).toEqual({
    secret: '',
    headers: null,
  })
})
