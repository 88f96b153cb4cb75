/** @module-tag shards */
import { expect, test } from 'vitest'
import { newReceiver } from '../../support/receiver.ts'
import { addKey, addMember, call, db, newTenant } from '../../support/world.ts'
import { request, subscribe } from '../../support/webhooks.ts'

const url = 'https://hooks.example.com/in'

test('GET /api/events/subscriptions answers {subscriptions, total, has_more, next_cursor}, newest first, page by page', async () => {
  const tenant = await newTenant()
  const ids = []
  for (let n = 0; n < 3; n += 1) ids.unshift(await subscribe(tenant, { url }))
  const first = await request(tenant, 'GET', '/api/events/subscriptions?limit=2')
  expect(first.body).toMatchObject({ total: 3, has_more: true, next_cursor: expect.any(String) })
  const next = await request(tenant, 'GET', `/api/events/subscriptions?limit=2&cursor=${first.body.next_cursor}`)
  expect(next.body).toMatchObject({ total: 3, has_more: false, next_cursor: null })
  const all = [...first.body.subscriptions, ...next.body.subscriptions]
  expect(all.map((one) => one.subscription_id)).toEqual(ids)
  expect(await request(tenant, 'GET', `/v1/events/subscriptions/${ids[0]}`)).toMatchObject({
    status: 200,
    body: all[0],
  })
})

test('contract §5: `health=failing` lists those that deliver nothing, page by page, however many newer ones work', async () => {
  const tenant = await newTenant()
  const set = async (changes: string): Promise<string> => {
    const id = await subscribe(tenant, { url })
    await db.write(`update subscriptions set ${changes} where id = :id`, { id })
    return id
  }
  const failing = await set('failing_since = 1')
  const gone = await set("status = 'disabled', disabled_reason = 'gone'")
  await set("status = 'paused', failing_since = 1")
  await set("status = 'disabled', disabled_reason = 'credential_ended', failing_since = 1")
  await set('failing_since = null')
  const { secret, id: keyId } = await addKey(tenant)
  const dead = await subscribe({ ...tenant, key: secret }, { url })
  await db.write('update subscriptions set failing_since = 1 where id = :id', { id: dead })
  await db.write('update api_keys set revoked_at = 1 where id = :id', { id: keyId })

  const path = '/api/events/subscriptions?health=failing&limit=1'
  const first = (await request(tenant, 'GET', path)).body
  expect(first).toMatchObject({ subscriptions: [{ subscription_id: gone }], total: 2, has_more: true })
  expect((await request(tenant, 'GET', `${path}&cursor=${first.next_cursor}`)).body).toMatchObject({
    subscriptions: [{ subscription_id: failing }],
    total: 2,
    has_more: false,
  })
  expect((await request(tenant, 'GET', '/api/events/subscriptions')).body.total).toBe(6)
  expect((await request(tenant, 'GET', '/api/events/subscriptions?health=good')).status).toBe(422)
})

test('security 27: a limited key sees the subscriptions that it made; a member sees none of another member', async () => {
  const tenant = await newTenant()
  const theirs = await subscribe(tenant, { url })
  const { secret } = await addKey(tenant, { permissions: [{ project_id: tenant.projectId, access: 'write' }] })
  const limited = { ...tenant, key: secret }
  const own = await subscribe(limited, { url })
  const list = await call('GET', '/api/events/subscriptions', { key: secret })
  expect(list.body.subscriptions.map((one: { subscription_id: string }) => one.subscription_id)).toEqual([own])
  expect((await call('GET', `/v1/events/subscriptions/${theirs}/secret`, { key: secret })).status).toBe(404)
  const member = await addMember(tenant, 'admin')
  expect((await request(member, 'GET', '/api/events/subscriptions')).body).toMatchObject({
    subscriptions: [],
    total: 0,
  })
})

test('security 26: every path of a foreign subscription and delivery answers as if the id never existed', async () => {
  const [tenant, stranger, other] = [await newTenant(), await newTenant(), await newTenant()]
  const id = await subscribe(tenant, newReceiver())
  const { body: tested } = await request(tenant, 'POST', `/v1/events/subscriptions/${id}/test`)
  const paths: [string, (id: string) => string, object?][] = [
    ['GET', (sub) => `/v1/events/subscriptions/${sub}`],
    ['PATCH', (sub) => `/v1/events/subscriptions/${sub}`, { status: 'paused' }],
    ['DELETE', (sub) => `/api/events/subscriptions/${sub}`],
    ['GET', (sub) => `/v1/events/subscriptions/${sub}/secret`],
    ['POST', (sub) => `/v1/events/subscriptions/${sub}/secret/rotate`],
    ['POST', (sub) => `/v1/events/subscriptions/${sub}/test`],
    ['GET', (sub) => `/v1/events/subscriptions/${sub}/deliveries`],
    ['POST', (sub) => `/v1/events/subscriptions/${sub}/recover`, { since: '2026-01-01T00:00:00Z' }],
    ['GET', (sub) => `/v1/events/deliveries/${sub.replace('sub_', 'dlv_')}/attempts`],
    ['POST', (sub) => `/v1/events/deliveries/${sub.replace('sub_', 'dlv_')}/retry`],
  ]
  for (const [method, path, body] of paths) {
    const real = path(id).replace(id.replace('sub_', 'dlv_'), tested.delivery_id)
    const foreign = await request(stranger, method, real, body)
    const never = await request(other, method, path('sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG'), body)
    expect([method, real, foreign.status]).toEqual([method, real, 404])
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...never.body, request_id: '' })
  }
})
