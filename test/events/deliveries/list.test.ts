import { expect, test } from 'vitest'
import { travel } from '../../support/clock.ts'
import { newReceiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { newTenant, system } from '../../support/world.ts'
import { deliveriesOf, publish, request, settled, subscribe } from '../../support/webhooks.ts'

test('deliveries are listed newest first, by status and by time', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: receiver.received.length === 1 ? 500 : 200 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  await settled(id, { status: 'pending', attempts: 1 })
  travel(1_000)
  const between = new Date(system.now()).toISOString()
  travel(1_000)
  await publish(tenant)
  await until(async () => expect((await deliveriesOf(id)).map((row) => row.status)).toContain('delivered'))
  const [older, newer] = await deliveriesOf(id)
  const list = async (query: string) =>
    (await request(tenant, 'GET', `/v1/events/subscriptions/${id}/deliveries${query}`)).body
  expect((await list('')).data.map((one: { id: string }) => one.id)).toEqual([newer!.id, older!.id])
  expect((await list('?status=delivered')).data).toMatchObject([{ id: newer!.id, status: 'delivered', attempts: 1 }])
  expect((await list(`?until=${between}`)).data).toMatchObject([{ id: older!.id, last_error: 'status_500' }])
  expect((await list(`?since=${between}`)).data).toMatchObject([{ id: newer!.id }])
  const page = await list('?limit=1')
  expect(page).toMatchObject({ has_more: true })
  expect((await list(`?limit=1&cursor=${page.next_cursor}`)).data).toMatchObject([{ id: older!.id }])
  expect((await request(tenant, 'GET', `/v1/events/subscriptions/${id}/deliveries?status=lost`)).status).toBe(422)
})

test('security 39: attempts show the beginning of the response, as data', async () => {
  const tenant = await newTenant()
  const script = '<script>alert(1)</script>'
  const receiver = newReceiver(() => new Response(script, { status: 500, headers: { 'Content-Type': 'text/html' } }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', last_error: 'status_500' })
  const { body, headers } = await request(tenant, 'GET', `/v1/events/deliveries/${row.id}/attempts`)
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(body).toMatchObject({
    data: [{ delivery_id: row.id, number: 1, status_code: 500, error: 'status_500', response: script }],
    has_more: false,
  })
})
