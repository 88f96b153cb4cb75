import { argon2id } from 'argon2-wasm-edge'
import { describe, expect, test, vi } from 'vitest'
import { hashPassword, verifyPassword } from '../../src/auth/index.ts'
import { login } from '../../src/auth/login.ts'
import { toBase64Url, utf8 } from '../../src/core/values/encoding.ts'
import { hmacSha256, importHmacKey, sha256 } from '../../src/core/values/hash.ts'
import { travel } from '../support/clock.ts'
import { expectAudited, notAudited, requestContext } from '../support/oauth.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { racing } from '../support/race.ts'
import { until } from '../support/until.ts'
import { call, db, form, newSession, newTenant, system } from '../support/world.ts'

const password = PASSWORD

test('register, log in, call, log out: the token is refused from the next request on, other sessions stay', async () => {
  const email = `ada-${crypto.randomUUID()}@example.com`
  const made = await form('/auth/register-user', { email, password, name: 'Ada' })
  expect(made).toMatchObject({
    status: 201,
    body: {
      user: { email, name: 'Ada', avatar_url: '' },
      session_token: expect.stringMatching(/^rcs_/),
      expires_in: 86_400,
    },
  })
  const { status, body } = await form('/auth/login', { username: email.toUpperCase(), password })
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      session_token: expect.stringMatching(/^rcs_/),
      expires_in: 86_400,
      device_token: expect.stringMatching(/^rcd_/),
    },
  })
  expect(body.session_token).not.toBe(made.body.session_token)
  const headers = { 'X-Session-Token': body.session_token }
  expect((await call('GET', '/v1/projects', { headers })).body.data).toMatchObject([{ name: 'Default' }])
  expect((await call('GET', '/v1/workspaces', { headers })).body.data).toMatchObject([
    { name: 'Personal', role: 'owner' },
  ])
  expect((await call('POST', '/auth/logout', { headers })).status).toBe(204)
  expect((await call('GET', '/v1/projects', { headers })).status).toBe(401)
  const first = { 'X-Session-Token': made.body.session_token }
  expect((await call('GET', '/v1/projects', { headers: first })).status).toBe(200)
})

test('security 44: an unknown address and a wrong password get the same answer, and both cost a hash', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  const unknown = await form('/auth/login', { username: 'nobody@example.com', password })
  const wrong = await form('/auth/login', { email: tenant.email, password: 'something else' })
  const plain = ({ status, headers, body }: typeof wrong) => ({
    status,
    challenge: headers.get('www-authenticate'),
    body: { ...body, request_id: '' },
  })
  expect(plain(unknown)).toEqual(plain(wrong))
  expect(unknown).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  // Without a stored hash the same derivation runs: it takes the time of a login.
  const derive = vi.spyOn(WebAssembly, 'instantiate')
  await verifyPassword(system, password, null)
  const decoy = derive.mock.calls.length
  await verifyPassword(system, password, await hashOf(tenant.userId))
  expect(derive.mock.calls.length - decoy).toBe(decoy)
  expect(decoy).toBeGreaterThan(0)
  derive.mockRestore()
})

const hashOf = async (userId: string) =>
  (await db.first<{ password_hash: string }>('select password_hash from users where id = ?', userId))?.password_hash ??
  null

test('security 45: a password of 1 MB, with NUL, of 1,000 emoji, too short or too long is 4xx, never 500', async () => {
  const email = `odd-${crypto.randomUUID()}@example.com`
  const register = async (odd: string) =>
    (await form('/auth/register-user', { email, password: odd, name: 'x' })).status
  expect(await register('x'.repeat(1_048_576))).toBe(413)
  expect(await register('correct\0horse battery')).toBe(422)
  expect(await register('😀'.repeat(1_000))).toBe(422)
  expect(await register('x'.repeat(11))).toBe(422)
  expect(await register('😀'.repeat(257))).toBe(422)
  const { email: known } = await newTenant()
  const login = async (odd: string) => (await form('/auth/login', { username: known, password: odd })).status
  expect(await login('x'.repeat(1_048_576))).toBe(413)
  expect(await login('a\0b')).toBe(422)
  expect(await login('😀'.repeat(1_000))).toBe(401)
})

test('login is form-encoded and takes each field once and nothing else', async () => {
  expect((await call('POST', '/auth/login', { body: { username: 'a', password } })).status).toBe(415)
  expect((await form('/auth/login', { password })).status).toBe(422)
  expect((await form('/auth/login', { username: 'a', email: 'b', password })).status).toBe(422)
  expect((await form('/auth/login', { username: 'a', password, scope: 'x' })).status).toBe(422)
  const twice = await call('POST', '/auth/login', {
    raw: new URLSearchParams('username=a&username=b&password=x'),
    headers: { 'CF-Connecting-IP': '198.51.100.200' },
  })
  expect(twice.status).toBe(422)
})

describe('limits', () => {
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

  test('a successful login releases its permits, those that unknown devices share too', async () => {
    const tenant = await newTenant()
    await givePassword(tenant)
    const shared = await sha256(tenant.email)
    expect((await form('/auth/login', { username: tenant.email, password })).status).toBe(200)
    await until(async () => expect(await heldOf('login.unknown', shared)).toBe(0))
    expect((await form('/auth/login', { username: tenant.email, password: 'wrong' })).status).toBe(401)
    expect(await heldOf('login.unknown', shared)).toBe(1)
  })
})

/** How many permits a window holds: it acquires one and releases it. */
async function heldOf(policy: string, subject: string): Promise<number> {
  const { state, acquiredAt } = await system.limiter.acquire(policy, subject)
  await system.limiter.release(policy, subject, acquiredAt)
  return state.limit - state.remaining - 1
}

test('a login from a new device raises a notification, one from a known device does not', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  const login = (agent: string) => form('/auth/login', { username: tenant.email, password }, { 'User-Agent': agent })
  const notified = async () =>
    (await db.all(`select 1 from events where tenant_id = ? and data like '%session.new_device%'`, tenant.tenantId))
      .length
  await login('laptop')
  expect(await notified()).toBe(0)
  await login('laptop')
  expect(await notified()).toBe(0)
  await login('phone')
  expect(await notified()).toBe(1)
})

test('security 49: login, failed login and logout leave a row each, without the password', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  await form('/auth/login', { username: tenant.email, password: 'wrong wrong wrong' })
  const { body } = await form('/auth/login', { username: tenant.email, password })
  await call('POST', '/auth/logout', { headers: { 'X-Session-Token': body.session_token } })
  await until(
    async () => {
      const rows = await system.auditDatabase.all<{ row: string }>(
        'select r.value as row from audit_pages p, json_each(p.rows) r where p.tenant_id = ?',
        tenant.tenantId,
      )
      const seen = rows.map(({ row }) => JSON.parse(row))
      expect(seen.map((row) => `${row.action} ${row.outcome} ${row.credential.kind}`)).toEqual(
        expect.arrayContaining([
          'auth.login unauthenticated password',
          'auth.login success session',
          'auth.logout success session',
        ]),
      )
      expect(JSON.stringify(seen)).not.toMatch(/wrong|battery|rcs_|example\.com/)
    },
    { everyMs: 200 },
  )
})

test('a login hashes a password anew that was hashed with older parameters', async () => {
  const tenant = await newTenant()
  await db.write('update users set password_hash = ? where id = ?', await olderHash(), tenant.userId)
  expect((await form('/auth/login', { username: tenant.email, password })).status).toBe(200)
  await until(async () => expect(await hashOf(tenant.userId)).toContain('m=19456,t=2,p=1'))
  expect((await form('/auth/login', { username: tenant.email, password })).status).toBe(200)
})

test('a login succeeds although another one hashes the same password anew; it fails after a change of the password', async () => {
  const tenant = await newTenant()
  const enter = async (stored: string, chosen: string) => {
    await db.write('update users set password_hash = ? where id = ?', stored, tenant.userId)
    const raced = racing(async () =>
      db.write('update users set password_hash = ? where id = ?', await hashPassword(system, chosen), tenant.userId),
    )
    return login(requestContext({ database: () => raced }), { email: tenant.email, password })
  }
  expect(await enter(await olderHash(), password)).toMatchObject({ userId: tenant.userId })
  await expect(enter(await olderHash(), 'staple or something')).rejects.toMatchObject({ code: 'unauthenticated' })
})

/** The tests' password with the current pepper and a quarter of the current memory. */
async function olderHash(): Promise<string> {
  const [pepper] = system.peppers
  const peppered = toBase64Url(await hmacSha256(await importHmacKey(pepper.bytes), utf8(password)))
  const salt = new Uint8Array(16).fill(7)
  const cost = { memorySize: 8_192, iterations: 1, parallelism: 1, hashLength: 32 }
  const encoded = await argon2id({ ...cost, password: peppered, salt, outputType: 'encoded' })
  return encoded.replace('p=1$', `p=1,keyid=${pepper.id}$`)
}
