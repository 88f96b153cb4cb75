/** @module-tag shards */
import { expect, test } from 'vitest'
import { keySweep } from '../../../src/identity/index.ts'
import { DAY, travel } from '../../support/clock.ts'
import { addKey, addMember, call, db, newSession, newTenant, system, type Tenant } from '../../support/world.ts'

const KEPT = 90 * DAY

const list = async (headers: Record<string, string>, query = ''): Promise<{ id: string; status: string }[]> =>
  (await call('GET', `/v1/api-keys${query}`, { headers })).body.data

const revoke = (id: string, headers: Record<string, string>) => call('DELETE', `/v1/api-keys/${id}`, { headers })

/** A key that was revoked `age` ms ago. */
async function revoked(tenant: Tenant, age: number): Promise<string> {
  const { id } = await addKey(tenant)
  await db.write('update api_keys set revoked_at = :revoked_at where id = :id', { revoked_at: system.now() - age, id })
  return id
}

const stored = async (...ids: string[]) =>
  (
    await db.all<{ id: string }>('select id from api_keys where id in (select value from json_each(:ids))', {
      ids: JSON.stringify(ids),
    })
  ).map(({ id }) => id)

test('contract §2: a revoked key is listed and shown with `include=revoked` only, with the instant of its end', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const { id } = await addKey(tenant)
  expect((await list(headers)).find((key) => key.id === id)).toMatchObject({ status: 'active', revoked_at: null })
  expect((await revoke(id, headers)).status).toBe(204)
  expect((await list(headers)).map((key) => key.id)).not.toContain(id)
  const ended = { id, status: 'revoked', revoked_at: expect.stringMatching(/Z$/) }
  expect((await list(headers, '?include=revoked')).find((key) => key.id === id)).toMatchObject(ended)
  const path = `/v1/api-keys/${id}`
  expect((await call('GET', path, { headers })).status).toBe(404)
  expect((await call('GET', `${path}?include=revoked`, { headers })).body).toMatchObject(ended)
  expect((await call('GET', '/v1/api-keys?include=secrets', { headers })).status).toBe(422)
})

test('a revoked key that is listed can be neither revoked again nor rotated', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const id = await revoked(tenant, 1_000)
  expect((await revoke(id, headers)).status).toBe(404)
  expect((await call('POST', `/v1/api-keys/${id}/rotate`, { headers })).status).toBe(404)
})

test('security 26: revoked keys of others are not listed: of another tenant, of another member, beyond its projects', async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const headers = await newSession(mine)
  const member = await addMember(mine, 'editor')
  const hidden = [await revoked(theirs, 1_000), await revoked(member, 1_000)]
  const listed = (await list(headers, '?include=revoked&limit=100')).map(({ id }) => id)
  expect(listed.filter((id) => hidden.includes(id))).toEqual([])
  for (const id of hidden)
    expect((await call('GET', `/v1/api-keys/${id}?include=revoked`, { headers })).status).toBe(404)
  const own = await revoked(mine, 1_000)
  const limited = await addKey(mine, { permissions: [{ project_id: mine.projectId, access: 'read' }] })
  expect((await list({ 'X-API-Key': limited.secret }, '?include=revoked')).map(({ id }) => id)).not.toContain(own)
})

test.each([
  [-1, true],
  [0, false],
  [1, false],
])('a key %i ms past its 90 days: listed %s', async (past, listed) => {
  const tenant = await newTenant()
  travel(0)
  const headers = await newSession(tenant)
  const id = await revoked(tenant, KEPT + past)
  expect((await list(headers, '?include=revoked')).some((key) => key.id === id)).toBe(listed)
})

test('the sweep erases a key 90 days after its revocation, and no other', async () => {
  const tenant = await newTenant()
  const old = await revoked(tenant, KEPT)
  const kept = [
    await revoked(tenant, KEPT - DAY),
    (await addKey(tenant)).id,
    (await addKey(tenant, { expiresAt: 1 })).id,
  ]
  await keySweep.run(system)
  expect(await stored(old, ...kept)).toEqual(kept.toSorted())
  await keySweep.run(system)
  expect(await stored(old, ...kept)).toEqual(kept.toSorted())
})

test('a rotated key stays as long as a successor: the webhook that it made lives on, and ends with the last one', async () => {
  const tenant = await newTenant()
  const [first, second] = [await addKey(tenant), await addKey(tenant)]
  const made = await call('POST', '/api/events/subscriptions', {
    key: first.secret,
    body: { channels: ['conversation'], delivery: { method: 'webhook', url: 'https://example.com/hook' } },
  })
  const path = `/v1/events/subscriptions/${made.body.subscription_id}`
  const last = await addKey(tenant)
  await db.write('update api_keys set rotated_to = :successor, revoked_at = 1 where id = :key', {
    successor: second.id,
    key: first.id,
  })
  await db.write('update api_keys set rotated_to = :successor, revoked_at = 2 where id = :key', {
    successor: last.id,
    key: second.id,
  })
  await keySweep.run(system)
  expect(await stored(first.id, second.id, last.id)).toHaveLength(3)
  expect((await call('GET', path, { key: tenant.key })).body.status).toBe('active')

  await db.write('update api_keys set revoked_at = 3 where id = :id', { id: last.id })
  for (let run = 0; run < 3; run += 1) await keySweep.run(system)
  expect(await stored(first.id, second.id, last.id)).toEqual([])
  const ended = { status: 'disabled', disabled_reason: 'credential_ended' }
  expect((await call('GET', path, { key: tenant.key })).body).toMatchObject(ended)
  expect((await call('GET', '/v1/projects', { key: last.secret })).status).toBe(401)
})
