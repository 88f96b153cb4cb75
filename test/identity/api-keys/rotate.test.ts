/** @module-tag shards */
import { expect, test } from 'vitest'
import { rotateKey } from '../../../src/identity/api-keys/rotate.ts'
import { travel } from '../../support/clock.ts'
import { mintingWith, requestContext } from '../../support/oauth.ts'
import { callerOf } from '../../support/race.ts'
import { addKey, call, newSession, newTenant, system } from '../../support/world.ts'

const rotate = (id: string, headers: Record<string, string>, overlap_seconds?: number) =>
  call('POST', `/v1/api-keys/${id}/rotate`, {
    headers,
    ...(overlap_seconds === undefined ? {} : { body: { overlap_seconds } }),
  })

const status = async (key: string) => (await call('GET', '/v1/projects', { key })).status

test('a rotated key has a successor with the same privileges; both work during the overlap', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const old = await addKey(tenant, { scopes: ['read:projects'], environment: 'test' })
  expect(await status(old.secret)).toBe(200)
  const { status: code, body } = await rotate(old.id, headers, 3_600)
  expect({ code, body }).toMatchObject({
    code: 201,
    body: {
      key: expect.stringMatching(/^rck_test_/),
      scopes: ['read:projects'],
      environment: 'test',
      status: 'active',
    },
  })
  expect([await status(old.secret), await status(body.key)]).toEqual([200, 200])
  const list = await call('GET', '/v1/api-keys', { headers })
  expect(list.body.data.find((one: { id: string }) => one.id === old.id)).toMatchObject({
    status: 'rotating',
    rotated_to: body.id,
  })
})

test.each([
  [-1, 200],
  [0, 401],
  [1, 401],
])('a rotated key %i s past its overlap: %i, warm or not, and its successor lives on', async (seconds, code) => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const [warm, cold] = [await addKey(tenant), await addKey(tenant)]
  expect(await status(warm.secret)).toBe(200)
  travel(0)
  const { body } = await rotate(warm.id, headers, 3_600)
  await rotate(cold.id, headers, 3_600)
  travel(3_600_000 + seconds * 1_000)
  expect([await status(warm.secret), await status(cold.secret)]).toEqual([code, code])
  expect(await status(body.key)).toBe(200)
})

test('without a body the overlap is a day; 0 ends the old key at once, warm as it is', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const [one, two] = [await addKey(tenant), await addKey(tenant)]
  expect([await status(one.secret), await status(two.secret)]).toEqual([200, 200])
  expect((await rotate(one.id, headers, 0)).status).toBe(201)
  expect(await status(one.secret)).toBe(401)
  expect((await rotate(two.id, headers)).status).toBe(201)
  travel(86_300_000)
  expect(await status(two.secret)).toBe(200)
  travel(101_000)
  expect(await status(two.secret)).toBe(401)
})

test('the overlap never reaches past the old key’s own expiry, and the successor has the same', async () => {
  const tenant = await newTenant()
  const expiresAt = system.now() + 60_000
  const old = await addKey(tenant, { expiresAt })
  const { body } = await rotate(old.id, await newSession(tenant), 604_800)
  expect(Date.parse(body.expires_at)).toBe(expiresAt)
  travel(60_000)
  expect([await status(old.secret), await status(body.key)]).toEqual([401, 401])
})

test('a key is rotated once: of two at once one makes a successor, a later one is 409', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const old = await addKey(tenant)
  const codes = (await Promise.all([rotate(old.id, headers, 60), rotate(old.id, headers, 60)])).map((one) => one.status)
  expect(codes.toSorted((a, b) => a - b)).toEqual([201, 409])
  expect((await rotate(old.id, headers, 60)).status).toBe(409)
  const list = await call('GET', '/v1/api-keys', { headers })
  expect(list.body.data).toHaveLength(3)
})

test('of two rotations at once the loser ends nothing: the old key works as long as the winner said', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const old = await addKey(tenant)
  const winner: number[] = []
  const tokens = mintingWith(async (...of) => {
    winner.push((await rotate(old.id, headers, 3_600)).status)
    return system.tokens.mint(...of)
  })
  const loser = rotateKey(requestContext({ tokens }, await callerOf(headers)), old.id, { overlap_seconds: 0 })
  await expect(loser).rejects.toMatchObject({ code: 'conflict' })
  expect(winner).toEqual([201])
  expect(await status(old.secret)).toBe(200)
  travel(3_600_000)
  expect(await status(old.secret)).toBe(401)
})

test('overlap_seconds is 0 to 604800; another tenant’s key is a 404; a key rotates no key with greater privileges', async () => {
  const [tenant, stranger] = [await newTenant(), await newTenant()]
  const headers = await newSession(tenant)
  expect((await rotate(tenant.keyId, headers, -1)).status).toBe(422)
  expect((await rotate(tenant.keyId, headers, 604_801)).status).toBe(422)
  expect((await rotate(stranger.keyId, headers)).status).toBe(404)
  const narrow = await addKey(tenant, { scopes: ['admin:workspace', 'read:projects'] })
  const wide = await addKey(tenant, { scopes: ['read:memory'] })
  const byKey = async (id: string) => (await call('POST', `/v1/api-keys/${id}/rotate`, { key: narrow.secret })).status
  expect([await byKey(wide.id), await byKey(narrow.id)]).toEqual([403, 403])
  const within = await addKey(tenant, { scopes: ['read:projects'], expiresAt: system.now() + 60_000 })
  expect(await byKey(within.id)).toBe(201)
})
