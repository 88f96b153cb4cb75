/** @module-tag long */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { newSession as makeSession } from '../../src/auth/index.ts'
import { sha256 } from '../../src/core/values/hash.ts'
import { travel } from '../support/clock.ts'
import { until } from '../support/until.ts'
import { addKey, call, db, newSession, newTenant, system } from '../support/world.ts'

const status = async (credential: { key?: string; headers?: Record<string, string> }) =>
  (await call('GET', '/v1/projects', credential)).status

test('an evicted hub still refuses what was revoked, even where D1 never learned of it', async () => {
  const tenant = await newTenant()
  expect(await status({ key: tenant.key })).toBe(200)
  await system.hub(tenant.routingId).deny({ ids: [tenant.keyId] })
  await evictDurableObject(env.USER_HUB.getByName(tenant.routingId))
  expect(await status({ key: tenant.key })).toBe(401)
})

test('a day later a denial is forgotten that D1 has come to know, and one that it has not is kept', async () => {
  const tenant = await newTenant()
  const [known, unknown] = [await addKey(tenant), await addKey(tenant)]
  await call('DELETE', `/v1/api-keys/${known.id}`, { headers: await newSession(tenant) })
  const hub = system.hub(tenant.routingId)
  await hub.deny({ ids: [unknown.id] })
  const denied = () =>
    runInDurableObject(env.USER_HUB.getByName(tenant.routingId), (_, { storage }) =>
      storage.sql
        .exec<{ id: string }>('select id from denied_ids')
        .toArray()
        .map(({ id }) => id),
    )
  expect(new Set(await denied())).toEqual(new Set([known.id, unknown.id]))
  travel(24 * 3_600_000)
  await hub.deny({ ids: ['ses_1'] })
  await until(async () => expect(new Set(await denied())).toEqual(new Set([unknown.id, 'ses_1'])))
  expect([await status({ key: known.secret }), await status({ key: unknown.secret })]).toEqual([401, 401])
})

test('an evicted hub lets live credentials in again, and keeps the counts of long windows', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const hub = system.hub(tenant.routingId)
  const tokenHash = await sha256(headers['X-Session-Token'])
  const publish = () => hub.admit({ kind: 'session', tokenHash, permits: ['events.publish'] })
  for (let n = 0; n < 20; n++) expect((await publish()).outcome).toBe('admitted')
  await evictDurableObject(env.USER_HUB.getByName(tenant.routingId))
  expect((await publish()).outcome).toBe('limited')
  expect(await status({ headers })).toBe(200)
})

test('a hub that cannot be reached means 503 with Retry-After, never "let in"', async () => {
  const tenant = await newTenant()
  expect(await status({ key: tenant.key })).toBe(200)
  const broken = Promise.withResolvers<never>()
  let blocked = false
  // The object breaks while a request waits for it, as it does when its machine fails.
  void runInDurableObject(env.USER_HUB.getByName(tenant.routingId), (_, state) =>
    state.blockConcurrencyWhile(() => {
      blocked = true
      return broken.promise
    }),
  ).catch(() => {})
  await until(() => expect(blocked).toBe(true))
  const waiting = call('GET', '/v1/projects', { key: tenant.key })
  broken.reject(new Error('the machine is gone'))
  const answer = await waiting
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 503, code: 'dependency_unavailable' })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(answer.text).not.toContain('machine')
  expect(await status({ key: tenant.key })).toBe(200)
})

test('a token that leads to another user’s hub is refused there', async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const ctx = { ...system, requestId: 'req_x', client: { ip: '', userAgent: '', origin: '' } }
  const { token, statement } = await makeSession(ctx, db, { ...mine, routingId: theirs.routingId })
  await db.batch([statement])
  expect(await status({ headers: { 'X-Session-Token': token } })).toBe(401)
})

test('a user who is deleted in D1 while no hub is warm is refused', async () => {
  const tenant = await newTenant()
  const { secret } = await addKey(tenant)
  await db.write('update users set deleted_at = 1 where id = :user', { user: tenant.userId })
  expect(await status({ key: secret })).toBe(401)
})
