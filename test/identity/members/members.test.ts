import { expect, test } from 'vitest'
import { accept, invitationFor } from '../../support/invitation.ts'
import { addMember, call, newTenant } from '../../support/world.ts'

test('a user of the tenant joins by an invitation, is listed, and only once', async () => {
  const tenant = await newTenant()
  const stranger = await addMember(tenant, null)
  const path = `/v1/workspaces/${tenant.workspaceId}/members`
  expect((await call('GET', '/v1/projects', { key: stranger.key })).body.data).toEqual([])
  expect((await accept(stranger, await invitationFor(tenant, stranger, 'viewer'))).status).toBe(200)
  expect((await call('GET', '/v1/projects', { key: stranger.key })).body.data).toHaveLength(1)
  const again = await call('POST', path, { key: tenant.key, body: { email: stranger.email, role: 'viewer' } })
  expect({ status: again.status, code: again.body.code }).toEqual({ status: 409, code: 'conflict' })
  const list = await call('GET', path, { key: stranger.key })
  expect(list.body.data.map((one: { user_id: string; role: string }) => [one.user_id, one.role])).toEqual([
    [stranger.userId, 'viewer'],
    [tenant.userId, 'owner'],
  ])
})

test('security 25: a lost role counts at the next request; a removed member’s keys reach nothing', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'editor')
  const path = `/v1/workspaces/${tenant.workspaceId}/members/${member.userId}`
  const create = () =>
    call('POST', '/api/projects', { key: member.key, body: { name: 'x', workspace_id: tenant.workspaceId } })
  expect((await create()).status).toBe(201)
  expect((await call('PATCH', path, { key: tenant.key, body: { role: 'viewer' } })).body.role).toBe('viewer')
  expect((await create()).status).toBe(403)
  expect((await call('DELETE', path, { key: tenant.key })).status).toBe(204)
  expect((await create()).status).toBe(404)
  expect((await call('GET', '/v1/projects', { key: member.key })).body.data).toEqual([])
  expect((await call('GET', `/v1/projects/${tenant.projectId}`, { key: member.key })).status).toBe(404)
})

test('the last owner can neither leave nor step down: 409 last_owner', async () => {
  const tenant = await newTenant()
  const admin = await addMember(tenant, 'admin')
  const own = `/v1/workspaces/${tenant.workspaceId}/members/${tenant.userId}`
  const leave = await call('DELETE', own, { key: tenant.key })
  const down = await call('PATCH', own, { key: tenant.key, body: { role: 'admin' } })
  expect([leave.body.code, down.body.code]).toEqual(['last_owner', 'last_owner'])
  const second = `/v1/workspaces/${tenant.workspaceId}/members/${admin.userId}`
  expect((await call('PATCH', second, { key: tenant.key, body: { role: 'owner' } })).status).toBe(200)
  expect((await call('DELETE', own, { key: tenant.key })).status).toBe(204)
  expect((await call('GET', `/v1/workspaces/${tenant.workspaceId}`, { key: tenant.key })).status).toBe(404)
})

test('of two owners who leave at once one stays', async () => {
  const tenant = await newTenant()
  const other = await addMember(tenant, 'owner')
  const leave = (who: { userId: string; key: string }) =>
    call('DELETE', `/v1/workspaces/${tenant.workspaceId}/members/${who.userId}`, { key: who.key })
  const codes = (await Promise.all([leave(tenant), leave(other)])).map((answer) => answer.status)
  expect(codes.toSorted((a, b) => a - b)).toEqual([204, 409])
})

test('an admin makes no owners, an editor manages nobody, everybody may leave', async () => {
  const tenant = await newTenant()
  const [admin, editor] = [await addMember(tenant, 'admin'), await addMember(tenant, 'editor')]
  const path = `/v1/workspaces/${tenant.workspaceId}/members`
  const status = async (key: string, method: string, on: string, body?: unknown) =>
    (await call(method, `${path}${on}`, { key, body })).status
  expect(await status(admin.key, 'PATCH', `/${editor.userId}`, { role: 'owner' })).toBe(403)
  expect(await status(admin.key, 'DELETE', `/${tenant.userId}`)).toBe(403)
  expect(await status(admin.key, 'POST', '', { email: 'x@example.com', role: 'owner' })).toBe(403)
  expect(await status(editor.key, 'POST', '', { email: 'x@example.com', role: 'viewer' })).toBe(403)
  expect(await status(editor.key, 'PATCH', `/${admin.userId}`, { role: 'viewer' })).toBe(403)
  expect(await status(editor.key, 'DELETE', `/${editor.userId}`)).toBe(204)
})
