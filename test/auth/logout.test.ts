import { expect, test } from 'vitest'
import { expectAudited } from '../support/oauth.ts'
import { call, newSession, newTenant } from '../support/world.ts'

const status = async (headers: Record<string, string>) => (await call('GET', '/v1/projects', { headers })).status

test('security 46: a logout ends the session of the request, although the hub has cached it, and no other', async () => {
  const tenant = await newTenant()
  const [mine, other] = [await newSession(tenant), await newSession(tenant)]
  expect([await status(mine), await status(other)]).toEqual([200, 200])
  expect((await call('POST', '/auth/logout', { headers: mine })).status).toBe(204)
  expect([await status(mine), await status(other)]).toEqual([401, 200])
  expect((await call('POST', '/auth/logout', { headers: mine })).status).toBe(401)
  await expectAudited(tenant.tenantId, ['auth.logout'])
})
