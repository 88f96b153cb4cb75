import { expect, test } from 'vitest'
import { addKey, call, newSession, newTenant, system } from '../support/world.ts'
import { sha256 } from '../../src/core/values/hash.ts'
import { travel } from '../support/clock.ts'

/** The most permits that any window of a second holds. */
const fullest = (times: number[]): number =>
  Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + 1_000).length))

test('security 47: 200 parallel requests over a window’s edge never admit more than the limit', async () => {
  const tenant = await newTenant()
  const token = (await newSession(tenant))['X-Session-Token']
  const tokenHash = await sha256(token)
  const hub = system.hub(tenant.routingId)
  const times: number[] = []
  const admit = async () => {
    const reply = await hub.admit({ kind: 'session', tokenHash, permits: ['memory.retrieve'] })
    if (reply.outcome === 'admitted') times.push(reply.acquiredAt)
  }
  await Promise.all(Array.from({ length: 100 }, admit))
  travel(999)
  await Promise.all(Array.from({ length: 50 }, admit))
  travel(1)
  await Promise.all(Array.from({ length: 50 }, admit))
  travel(1_000)
  await Promise.all(Array.from({ length: 50 }, admit))
  expect(fullest(times)).toBe(20)
  expect(times.length).toBeGreaterThanOrEqual(40)
})

test('security 47: a key’s and its user’s limits both hold, through the whole service', async () => {
  const tenant = await newTenant()
  const keys = await Promise.all(Array.from({ length: 6 }, () => addKey(tenant)))
  travel(0)
  const answers = await Promise.all(
    keys.flatMap(({ secret }) =>
      Array.from({ length: 8 }, async () => ({ secret, answer: await call('GET', '/v1/projects', { key: secret }) })),
    ),
  )
  const admitted = answers.filter(({ answer }) => answer.status === 200)
  expect(admitted.length).toBeLessThanOrEqual(20)
  for (const { secret } of keys) expect(admitted.filter((one) => one.secret === secret).length).toBeLessThanOrEqual(5)
  const refused = answers.find(({ answer }) => answer.status === 429)?.answer
  expect(refused?.body.code).toBe('rate_limited')
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(refused?.headers.get('ratelimit-policy')).toBe('"api-key";q=5;w=1, "read";q=20;w=1')
  expect(admitted[0]?.answer.headers.get('ratelimit')).toMatch(/^"api-key";r=\d;t=\d, "read";r=\d+;t=\d$/)
})
