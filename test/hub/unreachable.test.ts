import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { UserHub } from '../../src/hub/user-hub.do.ts'
import { Limiter } from '../../src/backends/limiter/limiter-shard.do.ts'
import { givePassword, PASSWORD } from '../support/password.ts'
import { addKey, call, db, form, newSession, newTenant, type Answer, type Tenant } from '../support/world.ts'

afterEach(() => void vi.restoreAllMocks())

const gone = async () => {
  throw new Error('the machine is gone')
}

function expectUnavailable({ status, headers, body, text }: Answer): void {
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'dependency_unavailable' })
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(text).not.toContain('machine')
}

/** The rows that a revocation writes, and its audit rows. */
const stateOf = async ({ tenantId, userId }: Tenant) => ({
  keys: await db.all('select id, revoked_at, rotated_to from api_keys where user_id = :user order by id', {
    user: userId,
  }),
  sessions: await db.all('select id, revoked_at from sessions where user_id = :user order by id', { user: userId }),
  log: await db.all('select id from audit_outbox where tenant_id = :tenant', { tenant: tenantId }),
})

const REVOCATIONS: Record<string, (tenant: Tenant, headers: Record<string, string>) => Promise<Answer>> = {
  'the end of a key': (tenant, headers) => call('DELETE', `/v1/api-keys/${tenant.keyId}`, { headers }),
  'a logout': (_, headers) => call('POST', '/auth/logout', { headers }),
  'the end of the other sessions': (_, headers) => call('DELETE', '/v1/sessions', { headers }),
}

describe('a hub that cannot be told of a revocation', () => {
  test.each(Object.entries(REVOCATIONS))('%s is 503 and changes nothing; the next try succeeds', async (_, revoke) => {
    const tenant = await newTenant()
    await givePassword(tenant)
    const [headers, other] = [await newSession(tenant), await newSession(tenant)]
    const { secret } = await addKey(tenant)
    const statuses = () =>
      Promise.all(
        [{ headers }, { headers: other }, { key: secret }, { key: tenant.key }].map(
          async (credential) => (await call('GET', '/v1/projects', credential)).status,
        ),
      )
    expect(await statuses()).toEqual([200, 200, 200, 200])
    const before = await stateOf(tenant)
    const deny = vi.spyOn(UserHub.prototype, 'deny').mockImplementation(gone)
    expectUnavailable(await revoke(tenant, headers))
    expect(deny).toHaveBeenCalled()
    expect(await stateOf(tenant)).toEqual(before)
    expect(await statuses()).toEqual([200, 200, 200, 200])
    deny.mockRestore()
    expect((await revoke(tenant, headers)).status).toBeLessThan(300)
    expect(await statuses()).toContain(401)
  })
})

describe('a limiter that cannot be reached', () => {
  beforeEach(
    () =>
      void vi.spyOn(Limiter.prototype, 'acquire').mockImplementation(() => {
        throw new Error('the machine is gone')
      }),
  )

  test('a login and a sign-up are 503, never let in', async () => {
    const tenant = await newTenant()
    await givePassword(tenant)
    const email = `new-${tenant.email}`
    expectUnavailable(await form('/auth/login', { username: tenant.email, password: PASSWORD }))
    expectUnavailable(await form('/auth/register-user', { email, password: PASSWORD, name: 'Ada' }))
    expect(await db.all('select id from sessions where user_id = :user', { user: tenant.userId })).toEqual([])
    expect(await db.all('select id from users where email = :email', { email })).toEqual([])
  })

  test('a token request is 503 temporarily_unavailable', async () => {
    const { status, body } = await form('/auth/token', {
      grant_type: 'client_credentials',
      client_id: 'app_x',
      client_secret: 'x',
    })
    expect({ status, error: body.error }).toEqual({ status: 503, error: 'temporarily_unavailable' })
  })

  test('who has a credential is let in as ever', async () => {
    const { key } = await newTenant()
    expect((await call('GET', '/v1/projects', { key })).status).toBe(200)
  })
})
