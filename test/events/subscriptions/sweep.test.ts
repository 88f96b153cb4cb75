import { expect, test } from 'vitest'
import { deliveriesOf, fanOutDone, publish, request, runSweep, subscribe } from '../../support/webhooks.ts'
import { addKey, db, newTenant, system } from '../../support/world.ts'

const url = 'https://hooks.example.com/in'

test('when its key ends, a subscription is disabled with the reason credential_ended, for good', async () => {
  const tenant = await newTenant()
  const key = await addKey(tenant)
  const id = await subscribe({ ...tenant, key: key.secret }, { url })
  const at = `/v1/events/subscriptions/${id}`
  await db.write('update api_keys set revoked_at = :revoked_at where id = :id', {
    revoked_at: system.now(),
    id: key.id,
  })
  const ended = { status: 'disabled', disabled_reason: 'credential_ended' }
  expect((await request(tenant, 'GET', at)).body).toMatchObject(ended)
  await fanOutDone(await publish(tenant))
  expect(await deliveriesOf(id)).toEqual([])
  await runSweep('subscriptions.credentials')
  expect(await db.first('select status, disabled_reason from subscriptions where id = :id', { id })).toEqual(ended)
  const told = await db.all(
    `select 1 from events where type = 'system.notification' and targets = :targets and data ->> 'subscription_id' = :id`,
    { targets: JSON.stringify([tenant.userId]), id },
  )
  expect(told).toHaveLength(1)
  expect((await request(tenant, 'PATCH', at, { status: 'active' })).status).toBe(409)
})

test('when its grant ends, a subscription is disabled with the reason credential_ended', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, { url })
  const grant = system.newId('grt')
  await db.batch([
    db.statement(
      `insert into oauth_grants (id, tenant_id, user_id, client_id, client_name, scopes, created_at)
       values (:grant, :tenant, :user, 'c', 'App', '[]', 0)`,
      { grant, tenant: tenant.tenantId, user: tenant.userId },
    ),
    db.statement(`update subscriptions set credential_kind = 'access', grant_id = :grant where id = :id`, {
      grant,
      id,
    }),
  ])
  const get = async () => (await request(tenant, 'GET', `/v1/events/subscriptions/${id}`)).body
  expect(await get()).toMatchObject({ status: 'active' })
  await db.write('update oauth_grants set revoked_at = :revoked_at where id = :grant', {
    revoked_at: system.now(),
    grant,
  })
  expect(await get()).toMatchObject({ status: 'disabled', disabled_reason: 'credential_ended' })
})

test('a rotated key hands its subscriptions on to its successor', async () => {
  const tenant = await newTenant()
  const [key, successor] = [await addKey(tenant), await addKey(tenant)]
  const id = await subscribe({ ...tenant, key: key.secret }, { url })
  await db.write('update api_keys set revoked_at = :revoked_at, rotated_to = :successor where id = :key', {
    revoked_at: system.now(),
    successor: successor.id,
    key: key.id,
  })
  const get = async () => (await request(tenant, 'GET', `/v1/events/subscriptions/${id}`)).body
  expect(await get()).toMatchObject({ status: 'active' })
  await runSweep('subscriptions.credentials')
  expect(await db.first('select credential_id from subscriptions where id = :id', { id })).toEqual({
    credential_id: successor.id,
  })
  await db.write('update api_keys set revoked_at = :revoked_at where id = :id', {
    revoked_at: system.now(),
    id: successor.id,
  })
  expect(await get()).toMatchObject({ status: 'disabled' })
})

test('a key that was rotated twice before the sweep hands its subscriptions on too', async () => {
  const tenant = await newTenant()
  const keys = [await addKey(tenant), await addKey(tenant), await addKey(tenant)] as const
  const id = await subscribe({ ...tenant, key: keys[0].secret }, { url })
  for (const [index, next] of keys.slice(1).entries()) {
    const ended = keys[index]!.id
    await db.write('update api_keys set revoked_at = :revoked_at, rotated_to = :id where id = :ended', {
      revoked_at: system.now(),
      id: next.id,
      ended,
    })
  }
  const get = async () => (await request(tenant, 'GET', `/v1/events/subscriptions/${id}`)).body
  expect(await get()).toMatchObject({ status: 'active' })
  await fanOutDone(await publish(tenant))
  expect(await deliveriesOf(id)).toHaveLength(1)
  await runSweep('subscriptions.credentials')
  expect(await db.first('select credential_id, status from subscriptions where id = :id', { id })).toEqual({
    credential_id: keys[2].id,
    status: 'active',
  })
  await db.write('update api_keys set revoked_at = :revoked_at where id = :id', {
    revoked_at: system.now(),
    id: keys[2].id,
  })
  expect(await get()).toMatchObject({ status: 'disabled', disabled_reason: 'credential_ended' })
})

test('the subscriptions of an erased user are deleted with their URL, headers and secret', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, { url }, {}, { 'X-A': 'b' })
  await db.write('update users set deleted_at = :deleted_at where id = :user', {
    deleted_at: system.now(),
    user: tenant.userId,
  })
  await runSweep('subscriptions.credentials')
  expect(await db.first('select url, headers, secret from subscriptions where id = :id', { id })).toEqual({
    url: '',
    headers: null,
    secret: '',
  })
})
