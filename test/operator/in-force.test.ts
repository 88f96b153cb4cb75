/**
 * @module-tag long
 * @module-tag shards
 */
import { env } from 'cloudflare:workers'
import { evictDurableObject } from 'cloudflare:test'
import { expect, onTestFinished, test } from 'vitest'
import { sha256 } from '../../src/core/values/hash.ts'
import { travel } from '../support/clock.ts'
import { setLimits } from '../support/operator.ts'
import { until } from '../support/until.ts'
import { addKey, addMember, call, newSession, newTenant, system, type Tenant } from '../support/world.ts'

/** Asks the hub of a user for so many permits at once, and answers when it gave them. */
async function caller(user: Pick<Tenant, 'tenantId' | 'userId' | 'routingId'>) {
  const headers = await newSession(user)
  const tokenHash = await sha256(headers['X-Session-Token'])
  const hub = system.hub(user.routingId)
  const admit = (permits: string[], further = false) =>
    hub.admit({ kind: 'session', tokenHash, permits, ...(further ? { further } : {}) })
  return {
    headers,
    admit,
    admitted: async (count: number, name = 'memory.retrieve'): Promise<number[]> => {
      const replies = await Promise.all(Array.from({ length: count }, () => admit([name])))
      return replies.flatMap((reply) => (reply.outcome === 'admitted' ? [reply.acquiredAt] : []))
    },
    evict: () => evictDurableObject(env.USER_HUB.getByName(user.routingId)),
  }
}

/** The most permits that any window of that length holds. */
const fullest = (times: number[], windowMs = 1_000): number =>
  Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + windowMs).length))

test('security 47: a limit of 300 a second admits 300 in any second, not one more, over the edge of its window', async () => {
  const tenant = await newTenant()
  await setLimits(tenant.userId, { limits: { 'memory.retrieve': 300 } })
  travel(0)
  const { admitted } = await caller(tenant)
  const times = await admitted(310)
  expect(times).toHaveLength(300)
  for (const ms of [999, 1, 999, 1]) {
    travel(ms)
    times.push(...(await admitted(310)))
  }
  expect(times).toHaveLength(900)
  expect(fullest(times)).toBe(300)
})

test('contract §6: a change is in force within a minute on a hub that is in use, and from its first request on one that was idle', async () => {
  const tenant = await newTenant()
  travel(0)
  const { admitted } = await caller(tenant)
  expect(await admitted(40)).toHaveLength(20)
  await setLimits(tenant.userId, { limits: { 'memory.retrieve': 30 } })
  travel(29_999)
  expect(await admitted(40)).toHaveLength(20)
  // The hub reads beside the request that finds its limits old.
  travel(1_000)
  await until(async () => {
    travel(1_000)
    expect(await admitted(40)).toHaveLength(30)
  })
  await setLimits(tenant.userId, { limits: { 'memory.retrieve': 7 } })
  travel(60_000)
  expect(await admitted(40)).toHaveLength(7)
})

test('security 47: a limit that changes while requests run never lets more through than the higher of the two', async () => {
  const tenant = await newTenant()
  travel(0)
  const { admitted } = await caller(tenant)
  const times = await admitted(15)
  await setLimits(tenant.userId, { limits: { 'memory.retrieve': 60 } })
  travel(60_000)
  const running = Array.from({ length: 4 }, () => admitted(30))
  times.push(...(await Promise.all(running)).flat())
  await setLimits(tenant.userId, { limits: { 'memory.retrieve': null } })
  travel(999)
  times.push(...(await admitted(30)))
  expect(fullest(times)).toBe(60)
  travel(60_000)
  expect(await admitted(30)).toHaveLength(20)
})

test('a limit below what is used admits nothing until enough permits have expired, and says when that is', async () => {
  const tenant = await newTenant()
  travel(0)
  const { admit, admitted } = await caller(tenant)
  await setLimits(tenant.userId, { limits: { 'events.subscribe': 6 } })
  // Ten of an hour are taken under the table, in two parts.
  const first = await admitted(4, 'events.subscribe')
  travel(600_000)
  expect(await admitted(4, 'events.subscribe')).toHaveLength(2)
  await setLimits(tenant.userId, { limits: { 'events.subscribe': 3 } })
  travel(60_000)
  const refused = await admit(['events.subscribe'])
  const firstEnd = (first[0] ?? 0) + 3_600_000
  expect(refused).toMatchObject({
    outcome: 'limited',
    retryAt: firstEnd,
    limits: [{ policy: 'events.subscribe', limit: 3, remaining: 0, windowSeconds: 3_600 }],
  })
  travel(3_600_000 - 660_000)
  expect(await admitted(4, 'events.subscribe')).toHaveLength(1)
})

test('limits that were set outlive a restart of the hub, and so do the counts of long windows', async () => {
  const tenant = await newTenant()
  await setLimits(tenant.userId, { limits: { 'events.publish': 40 } })
  travel(0)
  const { admitted, evict } = await caller(tenant)
  expect(await admitted(35, 'events.publish')).toHaveLength(35)
  await evict()
  expect(await admitted(35, 'events.publish')).toHaveLength(5)
})

test('security 91: what is set for one tenant, user or key holds for no other', async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const colleague = await addMember(mine, 'editor')
  const [key, other] = [await addKey(mine), await addKey(mine)]
  await setLimits(mine.userId, { limits: { 'memory.retrieve': 70 } })
  await setLimits(mine.tenantId, { limits: { 'memory.search': 25 } })
  await setLimits(key.id, { limits: { 'api-key': 15 } })
  travel(0)
  const admittedOf = async (user: Tenant, name: string) => (await (await caller(user)).admitted(80, name)).length
  expect([await admittedOf(mine, 'memory.retrieve'), await admittedOf(mine, 'memory.search')]).toEqual([70, 25])
  expect([await admittedOf(colleague, 'memory.retrieve'), await admittedOf(colleague, 'memory.search')]).toEqual([
    20, 25,
  ])
  expect([await admittedOf(theirs, 'memory.retrieve'), await admittedOf(theirs, 'memory.search')]).toEqual([20, 5])
  const policyOf = async (secret: string) =>
    (await call('GET', '/v1/projects', { key: secret })).headers.get('ratelimit-policy')
  expect(await policyOf(key.secret)).toBe('"api-key";q=15;w=1, "read";q=20;w=1')
  expect(await policyOf(other.secret)).toBe('"api-key";q=5;w=1, "read";q=20;w=1')
  expect(await policyOf(theirs.key)).toBe('"api-key";q=5;w=1, "read";q=20;w=1')
})

test('contract §6: service accounts have the limits of users until theirs are set', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const made = await call('POST', '/v1/api-keys', {
    headers,
    body: { name: 'service', scopes: ['read:memory', 'read:projects'], owner: 'workspace' },
  })
  expect(made.status).toBe(201)
  const policy = async () => {
    travel(60_000)
    return (await call('GET', '/v1/projects', { key: made.body.key })).headers.get('ratelimit-policy')
  }
  expect(await policy()).toBe('"api-key";q=5;w=1, "read";q=20;w=1')
  await setLimits(tenant.tenantId, { limits: { read: 30, 'api-key': 12 } })
  expect(await policy()).toBe('"api-key";q=12;w=1, "read";q=30;w=1')
  await setLimits(tenant.tenantId, { service_account_limits: { read: 400 } })
  expect(await policy()).toBe('"api-key";q=12;w=1, "read";q=400;w=1')
  const person = await call('GET', '/v1/projects', { headers })
  expect(person.headers.get('ratelimit-policy')).toBe('"read";q=30;w=1')
})

test('the deployment sets limits for everybody who has no nearer ones', async () => {
  onTestFinished(async () => void (await setLimits('deployment', { limits: { 'events.subscribe': null } })))
  const [nearer, plain] = [await newTenant(), await newTenant()]
  await setLimits('deployment', { limits: { 'events.subscribe': 14 } })
  await setLimits(nearer.tenantId, { limits: { 'events.subscribe': 12 } })
  travel(0)
  const admittedOf = async (user: Tenant) => (await (await caller(user)).admitted(20, 'events.subscribe')).length
  expect([await admittedOf(nearer), await admittedOf(plain)]).toEqual([12, 14])
})

test('a request that costs more permits than its limit waits for all of them, and is then admitted', async () => {
  const tenant = await newTenant()
  await setLimits(tenant.userId, { limits: { 'memory.search': 3, read: 1 } })
  travel(0)
  const { admit } = await caller(tenant)
  const four = Array.from({ length: 4 }, () => 'memory.search')
  expect((await admit(['memory.search'])).outcome).toBe('admitted')
  expect(await admit(four, true)).toMatchObject({ outcome: 'admitted', limits: [{ remaining: 0 }] })
  expect((await admit(['memory.search'])).outcome).toBe('limited')
  expect((await admit(['read'])).outcome).toBe('admitted')
  expect((await admit(['read', 'read', 'read', 'read'], true)).outcome).toBe('admitted')
})

test('contract §6: GET /v1/usage shows the limits that hold for the caller and the key that calls', async () => {
  const tenant = await newTenant()
  await setLimits(tenant.userId, { limits: { 'memory.store': 90 } })
  await setLimits(tenant.keyId, { limits: { 'api-key': 33 } })
  const limitsOf = async (credential: { key?: string; headers?: Record<string, string> }) => {
    const { body } = await call('GET', '/v1/usage', credential)
    return Object.fromEntries(body.limits.map((one: any) => [one.name, [one.limit, one.window_seconds, one.per]]))
  }
  expect(await limitsOf({ key: tenant.key })).toMatchObject({
    'memory.store': [90, 1, 'user'],
    'memory.retrieve': [20, 1, 'user'],
    'api-key': [33, 1, 'key'],
    'events.publish': [20, 60, 'user'],
    'events.delivery': [100, 60, 'subscription'],
  })
  const own = await limitsOf({ headers: await newSession(tenant) })
  expect([own['memory.store'], own['api-key']]).toEqual([[90, 1, 'user'], undefined])
})
