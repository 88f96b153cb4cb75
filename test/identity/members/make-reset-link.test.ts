/** @module-tag long */
import { expect, test } from 'vitest'
import { travel } from '../../support/clock.ts'
import { accept, invitationFor, noticesOf } from '../../support/invitation.ts'
import { givePassword, PASSWORD } from '../../support/password.ts'
import { addMember, call, db, form, newSession, newTenant, type Answer, type Tenant } from '../../support/world.ts'

const NEW = 'staple or something else'

const ask = async (by: Tenant, member: Pick<Tenant, 'userId'>, workspaceId = by.workspaceId) =>
  call('POST', `/v1/workspaces/${workspaceId}/members/${member.userId}/reset-link`, { headers: await newSession(by) })

const tokenOf = (answer: { body: { reset_url: string } }) =>
  new URL(answer.body.reset_url).searchParams.get('token') ?? ''

/** What a tenant has besides its owner: another owner of its workspace, and a member who came through it. */
async function newTeam(): Promise<{ tenant: Tenant; owner: Tenant; member: Tenant }> {
  const tenant = await newTenant()
  return { tenant, owner: await addMember(tenant, 'owner'), member: await addMember(tenant, 'editor') }
}

const newWorkspace = async (by: Tenant): Promise<Tenant> => {
  const { body } = await call('POST', '/v1/workspaces', { key: by.key, body: { name: 'Private' } })
  return { ...by, workspaceId: body.id }
}

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
  expect((await reset(token)).status).toBe(200)
  expect((await call('GET', '/v1/projects', { headers: session })).status).toBe(401)
  expect((await call('GET', '/v1/projects', { key: member.key })).status).toBe(401)
  const again = await reset(token)
  expect(again).toMatchObject({ status: 422, body: { errors: [{ path: 'token', code: 'invalid_link' }] } })
})

test('the member is told that somebody made a link, and by whom', async () => {
  const { owner, member } = await newTeam()
  const { body } = await ask(owner, member)
  expect(await noticesOf(member.userId)).toMatchObject([
    { code: 'reset_link.created', made_by: owner.userId, expires_at: body.expires_at },
  ])
  expect((await ask(member, owner)).status).toBe(403)
  expect(await noticesOf(owner.userId)).toEqual([])
})

test('a newer link ends the older one; another kind of token is refused', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'editor')
  const first = tokenOf(await ask(tenant, member))
  const second = tokenOf(await ask(tenant, member))
  expect((await reset(first)).status).toBe(422)
  expect((await reset(tenant.key)).status).toBe(422)
  expect((await reset(second)).status).toBe(200)
})

test.each([
  [-1, 200],
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
  expect((await reset(tokenOf(await ask(tenant, member)))).status).toBe(200)
})

test('the owner of the tenant makes a link, and an owner of every workspace that the member is in', async () => {
  const { tenant, owner, member } = await newTeam()
  const admin = await addMember(tenant, 'admin')
  expect((await ask(admin, member)).status).toBe(403)
  expect((await ask(member, tenant)).status).toBe(403)
  expect((await ask(owner, member)).status).toBe(201)
  await newWorkspace(member)
  expect((await ask(owner, member)).status).toBe(403)
  expect((await ask(tenant, member)).status).toBe(201)
  expect((await ask(await newTenant(), member, tenant.workspaceId)).status).toBe(404)
  const byKey = await call('POST', `/v1/workspaces/${tenant.workspaceId}/members/${member.userId}/reset-link`, {
    key: tenant.key,
  })
  expect(byKey.body.code).toBe('session_required')
})

test('security 52: an admin does not become a member by collecting all workspaces of that member', async () => {
  const tenant = await newTenant()
  const [admin, victim] = [await addMember(tenant, 'admin'), await addMember(tenant, 'editor')]
  const trap = await newWorkspace(admin)
  const invitation = await invitationFor(trap, victim)
  const path = `/v1/workspaces/${tenant.workspaceId}/members/${victim.userId}`
  expect((await call('DELETE', path, { headers: await newSession(admin) })).status).toBe(204)
  expect((await ask(trap, victim)).status).toBe(404)
  expect((await accept(victim, invitation)).status).toBe(200)
  expect((await ask(trap, victim)).status).toBe(403)
  await db.write('update users set joined_through = null where id = :user', { user: victim.userId })
  expect((await ask(trap, victim)).status).toBe(403)
})

test('security 52: a link needs the workspace through which the account came, and ends with it', async () => {
  const tenant = await newTenant()
  const host = await newWorkspace(await addMember(tenant, 'viewer'))
  const email = `guest-${crypto.randomUUID()}@example.com`
  const headers = await newSession(host)
  const invite = await call('POST', `/v1/workspaces/${host.workspaceId}/members`, {
    headers,
    body: { email, role: 'editor' },
  })
  const invitation = new URL(invite.body.invitation_url).searchParams.get('invitation') ?? ''
  const joined = await form('/auth/register-user', { email, password: PASSWORD, name: 'Guest', invitation })
  const guest = { userId: joined.body.user.id }
  const token = tokenOf(await ask(host, guest))
  const second = await newWorkspace(host)
  const { body } = await call('POST', `/v1/workspaces/${second.workspaceId}/members`, {
    headers,
    body: { email, role: 'editor' },
  })
  await call('POST', `/v1/invitations/${body.invitation_id}/accept`, {
    headers: { 'X-Session-Token': joined.body.session_token },
  })
  expect((await ask(second, guest)).status).toBe(201)
  expect((await call('DELETE', `/v1/workspaces/${host.workspaceId}`, { headers })).status).toBe(204)
  expect((await ask(second, guest)).status).toBe(403)
  expect((await reset(token)).status).toBe(422)
})

test('security 52: nobody makes a link for the owner of the tenant, and none that was made before reaches a new owner', async () => {
  const { tenant, owner, member } = await newTeam()
  expect((await ask(owner, tenant)).status).toBe(403)
  await givePassword(tenant)
  const [byOwner, byTenant] = [tokenOf(await ask(owner, member)), tokenOf(await ask(tenant, owner))]
  const body = { owner_id: member.userId, password: PASSWORD }
  expect((await call('POST', '/v1/tenant/owner', { headers: await newSession(tenant), body })).status).toBe(200)
  expect((await reset(byOwner)).status).toBe(422)
  expect((await ask(owner, member)).status).toBe(403)
  expect((await ask(tenant, member)).status).toBe(403)
  expect((await reset(byTenant)).status).toBe(200)
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
  const { tenant, owner, member } = await newTeam()
  await givePassword(member)
  const token = tokenOf(await ask(owner, member))
  expect((await change(tenant, member)).status).toBeLessThan(300)
  expect((await reset(token)).status).toBe(422)
})
