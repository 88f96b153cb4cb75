/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import { invitationSweep } from '../../../src/identity/index.ts'
import { travel } from '../../support/clock.ts'
import { addMember, call, db, form, newSession, newTenant, system, type Tenant } from '../../support/world.ts'

const password = 'correct horse battery'

async function invite(tenant: Tenant, role: string, email = `guest-${crypto.randomUUID()}@example.com`) {
  const answer = await call('POST', `/v1/workspaces/${tenant.workspaceId}/members`, {
    headers: await newSession(tenant),
    body: { email, role },
  })
  const token = new URL(answer.body.invitation_url).searchParams.get('invitation') ?? ''
  return { answer, email, token, id: answer.body.invitation_id }
}

test('an invited person signs up into that workspace, with its oldest project as default; the invitation works once', async () => {
  const tenant = await newTenant()
  const { answer, email, token, id } = await invite(tenant, 'editor')
  expect(answer).toMatchObject({
    status: 202,
    body: { invitation_id: expect.stringMatching(/^inv_/), expires_at: expect.stringMatching(/Z$/) },
  })
  const open = await call('GET', `/v1/workspaces/${tenant.workspaceId}/invitations`, { key: tenant.key })
  expect(open.body.data).toMatchObject([{ id, email, role: 'editor' }])
  expect(open.text).not.toContain(token)

  const joined = await form('/auth/register-user', { email, password, name: 'Guest', invitation: token })
  expect(joined.status).toBe(201)
  const headers = { 'X-Session-Token': joined.body.session_token }
  const projects = await call('GET', '/v1/projects', { headers })
  expect(projects.body.data).toMatchObject([{ id: tenant.projectId }])
  const made = await call('POST', '/api/projects', {
    headers,
    body: { name: 'Ours', workspace_id: tenant.workspaceId },
  })
  expect(made.status).toBe(201)
  const again = await form('/auth/register-user', { email: `x${email}`, password, name: 'x', invitation: token })
  expect({ status: again.status, path: again.body.errors[0].path }).toEqual({ status: 422, path: 'invitation' })
  const rest = await call('GET', `/v1/workspaces/${tenant.workspaceId}/invitations`, { key: tenant.key })
  expect(rest.body.data).toEqual([])
})

test('an invitation is for its address alone, and ends when it is withdrawn, replaced, or its workspace is deleted', async () => {
  const tenant = await newTenant()
  const other = await call('POST', '/v1/workspaces', { key: tenant.key, body: { name: 'Other' } })
  const attempt = async (email: string, invitation: string) => {
    const { status, body } = await form('/auth/register-user', { email, password, name: 'x', invitation })
    return [status, body.errors?.[0].code]
  }
  const first = await invite(tenant, 'viewer')
  expect(await attempt('somebody-else@example.com', first.token)).toEqual([422, 'not_invited'])
  const second = await invite(tenant, 'viewer', first.email)
  expect(await attempt(first.email, first.token)).toEqual([422, 'invalid_invitation'])
  const path = `/v1/workspaces/${tenant.workspaceId}/invitations/${second.id}`
  expect((await call('DELETE', path, { key: tenant.key })).status).toBe(204)
  expect((await call('DELETE', path, { key: tenant.key })).status).toBe(404)
  expect(await attempt(first.email, second.token)).toEqual([422, 'invalid_invitation'])
  const third = await invite({ ...tenant, workspaceId: other.body.id }, 'viewer')
  await call('DELETE', `/v1/workspaces/${other.body.id}`, { key: tenant.key })
  expect(await attempt(third.email, third.token)).toEqual([422, 'invalid_invitation'])
  expect(await attempt(third.email, tenant.key)).toEqual([422, 'invalid_invitation'])
})

test.for([
  [-1_000, 201],
  [0, 422],
  [1_000, 422],
] as const)('an invitation %i ms past its seven days: %i', async ([offset, status]) => {
  travel(0)
  const tenant = await newTenant()
  const { answer, email, token } = await invite(tenant, 'viewer')
  travel(Date.parse(answer.body.expires_at) - system.now() + offset)
  expect((await form('/auth/register-user', { email, password, name: 'x', invitation: token })).status).toBe(status)
})

test('an invitation ends when its maker loses the right to invite', async () => {
  const tenant = await newTenant()
  const admin = await addMember(tenant, 'admin')
  const headers = await newSession(tenant)
  const invitations = async () =>
    (await call('GET', `/v1/workspaces/${tenant.workspaceId}/invitations`, { headers })).body.data.length
  const accept = async ({ email, token }: { email: string; token: string }) =>
    (await form('/auth/register-user', { email, password, name: 'x', invitation: token })).status
  const path = `/v1/workspaces/${tenant.workspaceId}/members/${admin.userId}`
  const become = (role: string) => call('PATCH', path, { headers, body: { role } })
  await become('owner')
  const [owner, viewer] = [await invite(admin, 'owner'), await invite(admin, 'viewer')]
  expect(await invitations()).toBe(2)
  await become('admin')
  expect([await invitations(), await accept(owner)]).toEqual([1, 422])
  await become('editor')
  expect([await invitations(), await accept(viewer)]).toEqual([0, 422])
  await call('DELETE', path, { headers })
  expect(await accept(viewer)).toBe(422)
})

test('an invitation is erased when it is accepted, or once it has expired', async () => {
  const tenant = await newTenant()
  const left = () => db.all('select id from invitations where tenant_id = :tenant', { tenant: tenant.tenantId })
  const taken = await invite(tenant, 'viewer')
  const { id } = await invite(tenant, 'viewer')
  await form('/auth/register-user', { email: taken.email, password, name: 'x', invitation: taken.token })
  await invitationSweep.run(system)
  expect(await left()).toEqual([{ id }])
  travel(7 * 86_400_000)
  await invitationSweep.run(system)
  expect(await left()).toEqual([])
})

test('the same address at another tenant is invited like an unknown one, and cannot be taken twice', async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const { answer, token } = await invite(mine, 'viewer', theirs.email)
  expect(answer.status).toBe(202)
  const taken = await form('/auth/register-user', { email: theirs.email, password, name: 'x', invitation: token })
  expect({ status: taken.status, code: taken.body.code }).toEqual({ status: 409, code: 'email_taken' })
})

test('a repeated request with its Idempotency-Key shows no URL again', async () => {
  const tenant = await newTenant()
  const send = () =>
    call('POST', `/v1/workspaces/${tenant.workspaceId}/members`, {
      key: tenant.key,
      headers: { 'Idempotency-Key': 'i1' },
      body: { email: 'same@example.com', role: 'viewer' },
    })
  const first = await send()
  const again = await send()
  expect(again).toMatchObject({ status: 202, body: { ...first.body, invitation_url: null } })
})

test('only those who manage a workspace see or withdraw its invitations', async () => {
  const tenant = await newTenant()
  const { id } = await invite(tenant, 'viewer')
  const editor = await addMember(tenant, 'editor')
  const path = `/v1/workspaces/${tenant.workspaceId}/invitations`
  expect((await call('GET', path, { key: editor.key })).status).toBe(403)
  expect((await call('DELETE', `${path}/${id}`, { key: editor.key })).status).toBe(403)
})
