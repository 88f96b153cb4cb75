/**
 * @module-tag long
 * @module-tag shards
 */
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import type { Scope } from '../../../src/core/context.ts'
import { DAY, travel } from '../../support/clock.ts'
import { newReceiver } from '../../support/receiver.ts'
import { deliveriesOf, fanOutDone, publish, request, settled, subscribe } from '../../support/webhooks.ts'
import { until } from '../../support/until.ts'
import { addKey, addMember, call, db, newTenant, type Tenant } from '../../support/world.ts'

const pathOf = (deliveryId: string): string => `/v1/events/deliveries/${deliveryId}/request`
const withScopes = async (tenant: Tenant, scopes: Scope[], permissions?: { project_id: string; access: 'read' }[]) =>
  (await addKey(tenant, { scopes, ...(permissions ? { permissions } : {}) })).secret

/** A delivered event of a subscription, and what its receiver heard. */
async function delivered(tenant: Tenant, data: object = {}, headers?: object) {
  const receiver = newReceiver()
  const subscription = await subscribe(tenant, receiver, {}, headers)
  await publish(tenant, data)
  const delivery = await settled(subscription, { status: 'delivered' })
  return { subscription, delivery, receiver, sent: receiver.received[0] }
}

test('contract §5: the body is byte for byte what was sent, in every attempt, whatever characters it holds', async () => {
  const tenant = await newTenant()
  const text = `it's "quoted" \\ é ✓ 😀 \u2028 $HOME \`id\` </script>\n\t`
  const { delivery, sent, receiver } = await delivered(tenant, { text, n: 1.5e300, nested: { a: [null, true] } })
  const { status, body } = await request(tenant, 'GET', pathOf(delivery.id))
  expect(status).toBe(200)
  expect(new TextEncoder().encode(body.body)).toEqual(new TextEncoder().encode(sent?.body))
  await request(tenant, 'POST', `/v1/events/deliveries/${delivery.id}/retry`)
  await until(async () => expect(receiver.received).toHaveLength(2))
  expect(receiver.received[1]?.body).toBe(body.body)
})

test('contract §5: address and fixed headers are those that were sent; custom ones are named, their values sealed', async () => {
  const tenant = await newTenant()
  const { delivery, sent, receiver } = await delivered(
    tenant,
    {},
    { 'X-Mine': 'hidden-value', Authorization: 'Bearer hidden' },
  )
  const { body, text } = await request(tenant, 'GET', pathOf(delivery.id))
  expect(body).toMatchObject({ method: 'POST', url: receiver.url, custom_headers: ['X-Mine', 'Authorization'] })
  for (const name of ['Content-Type', 'User-Agent', 'webhook-id'])
    expect(body.headers[name]).toBe(sent?.headers[name.toLowerCase()])
  expect(text).not.toContain('hidden')
})

test('contract §5: it is signed anew, at the time of the answer and with both secrets of a rotation, for who may read the secret', async () => {
  const tenant = await newTenant()
  const { subscription, delivery } = await delivered(tenant)
  const secretPath = `/v1/events/subscriptions/${subscription}/secret`
  const old = (await request(tenant, 'GET', secretPath)).body.secret
  const fresh = (await request(tenant, 'POST', `${secretPath}/rotate`)).body.secret
  travel(60_000)
  const { body, headers } = await request(tenant, 'GET', pathOf(delivery.id))
  expect(Number(body.headers['webhook-timestamp'])).toBeGreaterThan(delivery.created_at / 1_000 + 59)
  expect(headers.get('cache-control')).toBe('no-store')
  for (const secret of [old, fresh]) expect(new Webhook(secret).verify(body.body, body.headers)).toBeTruthy()
})

test('without write:events there is no signature, and no secret either', async () => {
  const tenant = await newTenant()
  const { subscription, delivery } = await delivered(tenant)
  const key = await withScopes(tenant, ['read:events'])
  const { status, body } = await call('GET', pathOf(delivery.id), { key })
  expect({ status, names: Object.keys(body.headers).toSorted() }).toEqual({
    status: 200,
    names: ['Content-Type', 'User-Agent', 'webhook-id'],
  })
  expect((await call('GET', `/v1/events/subscriptions/${subscription}/secret`, { key })).status).toBe(403)
  expect((await call('GET', pathOf(delivery.id), { key: await withScopes(tenant, ['write:events']) })).status).toBe(403)
})

test('security 26, 64: nobody reads here what they may not receive: another tenant or member, a lost scope, role or project', async () => {
  const [tenant, foreign] = [await newTenant(), await newTenant()]
  const member = await addMember(tenant, 'editor')
  const receiver = newReceiver()
  const subscription = await subscribe(member, receiver, { channels: ['conversation', 'memory'] })
  await call('POST', '/api/memory/store', { key: member.key, body: { content: 'Ada drinks tea.' } })
  const { id } = await settled(subscription, { status: 'delivered', event_type: 'memory.created' })
  const path = pathOf(id)
  expect((await call('GET', path, { key: member.key })).status).toBe(200)
  for (const other of [tenant, foreign]) expect((await call('GET', path, { key: other.key })).status).toBe(404)
  const blind = await withScopes(member, ['read:events', 'write:events'])
  expect((await call('GET', path, { key: blind })).status).toBe(404)
  await call('DELETE', `/v1/workspaces/${tenant.workspaceId}/members/${member.userId}`, { key: tenant.key })
  const gone = await call('GET', path, { key: member.key })
  expect({ status: gone.status, text: gone.text.includes('mem_') }).toEqual({ status: 404, text: false })
})

test('once the event is no longer kept there is nothing to show', async () => {
  const tenant = await newTenant()
  const { delivery } = await delivered(tenant)
  travel(31 * DAY)
  expect((await request(tenant, 'GET', pathOf(delivery.id))).status).toBe(404)
  await db.write('delete from events where id = :event', { event: delivery.event_id })
  expect((await request(tenant, 'GET', pathOf(delivery.id))).status).toBe(404)
})

test('a changed address is the one that is shown, and a delivery that was never sent shows what it will send', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const subscription = await subscribe(tenant, newReceiver())
  const path = `/v1/events/subscriptions/${subscription}`
  await request(tenant, 'PATCH', path, { status: 'paused', delivery: { url: receiver.url } })
  await fanOutDone(await publish(tenant))
  const [row] = await deliveriesOf(subscription)
  const { body } = await request(tenant, 'GET', pathOf(row?.id ?? ''))
  expect(body.url).toBe(receiver.url)
  await request(tenant, 'PATCH', path, { status: 'active' })
  await settled(subscription, { status: 'delivered' })
  expect(receiver.received[0]?.body).toBe(body.body)
})
