/** @module-tag long */
import { expect, test, vi } from 'vitest'
import { verifyPassword } from '../../src/auth/index.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { until } from '../support/until.ts'
import { call, db, form, newTenant, system } from '../support/world.ts'

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
  (await db.first<{ password_hash: string }>('select password_hash from users where id = :user', { user: userId }))
    ?.password_hash ?? null

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

test('a login from a new device raises a notification, one from a known device does not', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  const login = (agent: string) => form('/auth/login', { username: tenant.email, password }, { 'User-Agent': agent })
  const notified = async () =>
    (
      await db.all(`select 1 from events where tenant_id = :tenant and data like '%session.new_device%'`, {
        tenant: tenant.tenantId,
      })
    ).length
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
      const rows = await system
        .auditDatabase('00')
        .all<{ row: string }>(
          'select r.value as row from audit_pages p, json_each(p.rows) r where p.tenant_id = :tenant',
          { tenant: tenant.tenantId },
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
