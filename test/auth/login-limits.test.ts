/** @module-tag long */
import { expect, test } from 'vitest'
import { acquireAttempt, attemptsOf } from '../../src/auth/passwords/acquire-attempt.ts'
import { sha256 } from '../../src/core/values/hash.ts'
import type { Permit } from '../../src/limits/index.ts'
import { travel } from '../support/clock.ts'
import { expectAudited, notAudited } from '../support/oauth.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { ctxOf } from '../support/search.ts'
import { until } from '../support/until.ts'
import { call, form, newSession, newTenant, system } from '../support/world.ts'

const password = PASSWORD

const attempt = async (ip: string, email = `nobody-${crypto.randomUUID()}@example.com`) => {
  const answer = await form('/auth/login', { username: email, password: 'x' }, { 'CF-Connecting-IP': ip })
  return answer.status
}

test('security 43: five logins a minute for a network address, exact at the edge of the window; the sixth is 429 with Retry-After', async () => {
  const ip = '203.0.113.77'
  const started = system.now()
  for (let n = 0; n < 5; n++) expect(await attempt(ip)).toBe(401)
  const sixth = await form('/auth/login', { username: 'a@b.co', password: 'x' }, { 'CF-Connecting-IP': ip })
  expect(sixth).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(50)
  expect(sixth.headers.get('ratelimit-policy')).toBe('"login";q=5;w=60')
  travel(59_000 - (system.now() - started))
  expect(await attempt(ip)).toBe(429)
  travel(60_000 + 3_000 - (system.now() - started))
  expect(await attempt(ip)).toBe(401)
})

test('security 43: an IPv6 client has one limit for its /64, and register-user counts too', async () => {
  for (let n = 1; n <= 4; n++) expect(await attempt(`2001:db8:7:1::${n}`)).toBe(401)
  const registered = await form(
    '/auth/register-user',
    { email: 'x', password: 'x', name: 'x' },
    { 'CF-Connecting-IP': '2001:db8:7:1:a::5' },
  )
  expect(registered.status).toBe(422)
  expect(await attempt('2001:db8:7:1:ffff::6')).toBe(429)
  expect(await attempt('2001:db8:7:2::1')).toBe(401)
})

test('security 43: an account backs off after ten failures from one network, and its live sessions go on', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  const headers = await newSession(tenant)
  const ip = '203.0.113.99'
  // Nine permits stand for nine failures without their hashes; the tenth failure is a real one.
  const subject = await sha256(`${tenant.email} network ${ip}`)
  for (let n = 0; n < 9; n++) await system.limiter.acquire('password', subject)
  expect(await attempt(ip, tenant.email)).toBe(401)
  const locked = await form('/auth/login', { username: tenant.email, password }, { 'CF-Connecting-IP': ip })
  expect(locked.status).toBe(429)
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(500)
  await expectAudited(tenant.tenantId, ['auth.login unauthenticated', 'auth.login rate_limited'])
  expect((await call('GET', '/v1/projects', { headers })).status).toBe(200)
  const changed = await call('POST', '/v1/users/me/password', {
    headers,
    body: { current_password: password, new_password: 'staple or something else' },
  })
  expect(changed.status).toBe(204)
  travel(601_000)
  const again = { username: tenant.email, password: 'staple or something else' }
  expect((await form('/auth/login', again, { 'CF-Connecting-IP': ip })).status).toBe(200)
})

test('security 49: a login that the limit of its address refuses is in the log of its account; a flood of them costs no more', async () => {
  const tenant = await newTenant()
  const ip = '203.0.113.88'
  for (let n = 0; n < 5; n++) await system.limiter.acquire('login', ip)
  expect(await attempt(ip, tenant.email.toUpperCase())).toBe(429)
  await expectAudited(tenant.tenantId, ['auth.login rate_limited'])
  for (const odd of ['', 'username=a&password=b&more=c', 'x'.repeat(70_000)]) {
    const answer = await call('POST', '/auth/login', {
      raw: odd,
      headers: { 'CF-Connecting-IP': ip, 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    expect(answer.status).toBe(429)
  }
  const other = await newTenant()
  for (let n = 0; n < 60; n++) await system.limiter.acquire('anonymous', ip)
  expect(await attempt(ip, other.email)).toBe(429)
  expect(await attempt('203.0.113.89', other.email)).toBe(401)
  await expectAudited(other.tenantId, ['auth.login unauthenticated'])
  // Audit rows arrive in order: a row of the refusal would be here by now.
  expect(await notAudited(other.tenantId, ['auth.login rate_limited'])).toHaveLength(1)
})

test('security 43: thirty failures in an hour are the second limit, which uses no permit of the first', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  travel(0)
  const ip = '203.0.113.100'
  const subject = await sha256(`${tenant.email} network ${ip}`)
  for (let n = 0; n < 29; n++) await system.limiter.acquire('password.hour', subject)
  const status = async (secret = password) =>
    (await form('/auth/login', { username: tenant.email, password: secret }, { 'CF-Connecting-IP': ip })).status
  expect([await status('wrong wrong wrong'), await status()]).toEqual([401, 429])
  expect(await heldOf('password', subject)).toBe(1)
  expect(await heldOf('login.unknown', await sha256(tenant.email))).toBe(1)
  travel(3_600_000 - 1)
  expect(await status()).toBe(429)
  travel(1)
  expect(await status()).toBe(200)
})

test('security 43: an attempt that its own window refuses asks nothing of the one that strangers share', async () => {
  const calls: string[] = []
  const told: typeof system.limiter = {
    ...system.limiter,
    async acquireAll(names, subject) {
      const permit = await system.limiter.acquireAll(names, subject)
      calls.push(`${names.join(' + ')}: ${permit.admitted}`)
      return permit
    },
    async release(names, subject, acquiredAt) {
      calls.push(`release ${[names].flat().join(' + ')}`)
      await system.limiter.release(names, subject, acquiredAt)
    },
  }
  const [own, shared] = [await sha256(crypto.randomUUID()), await sha256(crypto.randomUUID())]
  const permits: Permit[] = [...attemptsOf(own), { name: 'login.unknown', subject: shared }]
  const ctx = { ...ctxOf(await newTenant()), limiter: told }
  const attempt = () => acquireAttempt(ctx, permits)
  await (await attempt()).release()
  expect(calls.splice(0)).toEqual([
    'password + password.hour: true',
    'login.unknown: true',
    'release password + password.hour',
    'release login.unknown',
  ])
  for (let n = 0; n < 10; n++) await system.limiter.acquire('password', own)
  await expect(attempt()).rejects.toMatchObject({ code: 'rate_limited' })
  expect(calls.splice(0)).toEqual(['password + password.hour: false'])
  expect([await heldOf('password.hour', own), await heldOf('login.unknown', shared)]).toEqual([0, 0])

  const other = await sha256(crypto.randomUUID())
  for (let n = 0; n < 30; n++) await system.limiter.acquire('login.unknown', shared)
  const strangers: Permit[] = [...attemptsOf(other), { name: 'login.unknown', subject: shared }]
  await expect(acquireAttempt(ctx, strangers)).rejects.toMatchObject({ code: 'rate_limited' })
  expect([await heldOf('password', other), await heldOf('password.hour', other)]).toEqual([0, 0])
})

test('a successful login releases its permits, those that unknown devices share too', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  const shared = await sha256(tenant.email)
  expect((await form('/auth/login', { username: tenant.email, password })).status).toBe(200)
  await until(async () => expect(await heldOf('login.unknown', shared)).toBe(0))
  expect((await form('/auth/login', { username: tenant.email, password: 'wrong' })).status).toBe(401)
  expect(await heldOf('login.unknown', shared)).toBe(1)
})

/** How many permits a window holds: it acquires one and releases it. */
async function heldOf(policy: string, subject: string): Promise<number> {
  const { state, acquiredAt } = await system.limiter.acquire(policy, subject)
  await system.limiter.release(policy, subject, acquiredAt)
  return state.limit - state.remaining - 1
}
