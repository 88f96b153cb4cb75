import { expect, test } from 'vitest'
import { travel } from '../../support/clock.ts'
import { givePassword, PASSWORD } from '../../support/password.ts'
import { addMember, call, form, newSession, newTenant, type Answer, type Tenant } from '../../support/world.ts'

const NEW = 'staple or something else'

const ask = async (by: Tenant, member: Tenant, workspaceId = by.workspaceId) =>
  call('POST', `/v1/workspaces/${workspaceId}/members/${member.userId}/reset-link`, { headers: await newSession(by) })

const tokenOf = (answer: { body: { reset_url: string } }) =>
  new URL(answer.body.reset_url).searchParams.get('token') ?? ''

const reset = (token: string, password = NEW) => form('/auth/reset-password', { token, password })

test('an owner makes a one-time link; with it the member sets a password, and all that was logged in ends', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'editor')
  await givePassword(member)
  const session = await newSession(member)
  expect((await call('GET', '/v1/projects', { headers: session })).status).toBe(200)
  const answer = await ask(tenant, member)
  expect(answer).toMatchObject({ status: 201, body: { expires_at: expect.stringMatching(/Z$/) } })
  const token = tokenOf(answer)
  expect((await reset(token, 'short')).status).toBe(422)
  expect((await reset(token)).status).toBe(204)
  expect((await call('GET', '/v1/projects', { headers: session })).status).toBe(401)
  expect((await call('GET', '/v1/projects', { key: member.key })).status).toBe(401)
  const again = await reset(token)
  expect(again).toMatchObject({ status: 422, body: { errors: [{ path: 'token', code: 'invalid_link' }] } })
})

test('a newer link ends the older one; another kind of token is refused', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'editor')
  const first = tokenOf(await ask(tenant, member))
  const second = tokenOf(await ask(tenant, member))
  expect((await reset(first)).status).toBe(422)
  expect((await reset(tenant.key)).status).toBe(422)
  expect((await reset(second)).status).toBe(204)
})

test.each([
  [-1, 204],
  [0, 422],
  [1, 422],
])('a link %i s past its 24 hours: %i', async (seconds, status) => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'editor')
  travel(0)
  const link = await ask(tenant, member)
  travel(86_400_000 + seconds * 1_000)
  expect((await reset(tokenOf(link))).status).toBe(status)
})

test.each(['PATCH', 'DELETE'])('a link ends when its maker is no longer an owner: %s', async (method) => {
  const tenant = await newTenant()
  const [owner, member] = [await addMember(tenant, 'owner'), await addMember(tenant, 'editor')]
  const theirs = tokenOf(await ask(owner, member))
  const ended = await call(method, `/v1/workspaces/${tenant.workspaceId}/members/${owner.userId}`, {
    key: tenant.key,
    ...(method === 'PATCH' ? { body: { role: 'admin' } } : {}),
  })
  expect(ended.status).toBeLessThan(300)
  expect((await reset(theirs)).status).toBe(422)
  expect((await reset(tokenOf(await ask(tenant, member)))).status).toBe(204)
})

test('only an owner of every workspace that the member is in makes a link', async () => {
  const tenant = await newTenant()
  const [admin, member] = [await addMember(tenant, 'admin'), await addMember(tenant, 'editor')]
  expect((await ask(admin, member)).status).toBe(403)
  expect((await ask(member, tenant)).status).toBe(403)
  await call('POST', '/v1/workspaces', { key: member.key, body: { name: 'Private' } })
  expect((await ask(tenant, member)).status).toBe(403)
  expect((await ask(await newTenant(), member, tenant.workspaceId)).status).toBe(404)
  const byKey = await call('POST', `/v1/workspaces/${tenant.workspaceId}/members/${member.userId}/reset-link`, {
    key: tenant.key,
  })
  expect(byKey.body.code).toBe('session_required')
})

test('nobody makes a link for themselves: a session is not the password', async () => {
  const tenant = await newTenant()
  await givePassword(tenant)
  expect(await ask(tenant, tenant)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
})

test.each<[string, (tenant: Tenant, member: Tenant) => Promise<Answer>]>([
  [
    'has a workspace besides by now',
    (_, member) => call('POST', '/v1/workspaces', { key: member.key, body: { name: 'Private' } }),
  ],
  [
    'has been removed',
    (tenant, member) =>
      call('DELETE', `/v1/workspaces/${tenant.workspaceId}/members/${member.userId}`, { key: tenant.key }),
  ],
  [
    'has chosen another password',
    async (_, member) =>
      call('POST', '/v1/users/me/password', {
        headers: await newSession(member),
        body: { current_password: PASSWORD, new_password: 'what the member chose' },
      }),
  ],
])('a link ends once its member %s', async (_, change) => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'editor')
  await givePassword(member)
  const token = tokenOf(await ask(tenant, member))
  expect((await change(tenant, member)).status).toBeLessThan(300)
  expect((await reset(token)).status).toBe(422)
})
