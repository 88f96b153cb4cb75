/** @module-tag shards */
import { expect, test } from 'vitest'
import { addKey, addMember, call, newSession, newTenant } from '../../support/world.ts'

test('a workspace is made with its maker as owner, read, renamed and listed newest first', async () => {
  const { key, userId, workspaceId } = await newTenant()
  const made = await call('POST', '/v1/workspaces', { key, body: { name: 'Research' } })
  expect(made).toMatchObject({ status: 201, body: { name: 'Research', role: 'owner', created_by: userId } })
  const renamed = await call('PATCH', `/v1/workspaces/${made.body.id}`, { key, body: { name: 'R & D' } })
  expect(renamed.body).toMatchObject({ id: made.body.id, name: 'R & D' })
  expect((await call('GET', `/v1/workspaces/${made.body.id}`, { key })).body).toEqual(renamed.body)
  const first = await call('GET', '/v1/workspaces?limit=1', { key })
  expect(first.body).toMatchObject({ data: [{ id: made.body.id }], has_more: true })
  const second = await call('GET', `/v1/workspaces?limit=1&cursor=${first.body.next_cursor}`, { key })
  expect(second.body).toMatchObject({ data: [{ id: workspaceId }], has_more: false, next_cursor: null })
})

test('deleting a workspace takes its projects and its keys along', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const path = `/v1/workspaces/${tenant.workspaceId}`
  const robot = await call('POST', '/v1/api-keys', {
    headers,
    body: { name: 'CI', scopes: ['read:projects'], owner: 'workspace', workspace_id: tenant.workspaceId },
  })
  expect((await call('GET', path, { key: robot.body.key })).body.role).toBe('editor')
  expect((await call('DELETE', path, { headers })).status).toBe(204)
  expect((await call('GET', path, { key: robot.body.key })).status).toBe(401)
  expect((await call('GET', path, { headers })).status).toBe(404)
  expect((await call('GET', `/v1/projects/${tenant.projectId}`, { headers })).status).toBe(404)
  expect((await call('DELETE', path, { headers })).status).toBe(404)
})

test.for([
  ['admin', 200, 403],
  ['editor', 403, 403],
  ['viewer', 403, 403],
  [null, 404, 404],
] as const)('role %s renames a workspace: %i, deletes it: %i', async ([role, renames, deletes]) => {
  const tenant = await newTenant()
  const { key } = await addMember(tenant, role)
  const path = `/v1/workspaces/${tenant.workspaceId}`
  expect((await call('PATCH', path, { key, body: { name: 'x' } })).status).toBe(renames)
  expect((await call('DELETE', path, { key })).status).toBe(deletes)
})

test("security 26: another tenant's workspace is a 404 on every path, like one that never was", async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const headers = await newSession(mine)
  const answersFor = async (id: string) => [
    await call('GET', `/v1/workspaces/${id}`, { headers }),
    await call('PATCH', `/v1/workspaces/${id}`, { headers, body: { name: 'x' } }),
    await call('GET', `/v1/workspaces/${id}/members`, { headers }),
    await call('POST', `/v1/workspaces/${id}/members`, { headers, body: { email: 'a@b.co', role: 'viewer' } }),
    await call('PATCH', `/v1/workspaces/${id}/members/${theirs.userId}`, { headers, body: { role: 'viewer' } }),
    await call('GET', `/v1/workspaces/${id}/invitations`, { headers }),
    await call('DELETE', `/v1/workspaces/${id}`, { headers }),
  ]
  const plain = (answers: Awaited<ReturnType<typeof answersFor>>) =>
    answers.map(({ status, body }) => ({ status, body: { ...body, request_id: '' } }))
  const foreign = plain(await answersFor(theirs.workspaceId))
  expect(foreign.map((answer) => answer.status)).toEqual([404, 404, 404, 404, 404, 404, 404])
  expect(plain(await answersFor('wsp_01K8E3Z4T7Q9V6N2M5B8C1D0FG'))).toEqual(foreign)
})

test('security 27: a key limited to a project sees its workspace alone and changes none', async () => {
  const tenant = await newTenant()
  await call('POST', '/v1/workspaces', { key: tenant.key, body: { name: 'Other' } })
  const { secret: key } = await addKey(tenant, { permissions: [{ project_id: tenant.projectId, access: 'write' }] })
  const list = await call('GET', '/v1/workspaces', { key })
  expect(list.body.data.map((one: { id: string }) => one.id)).toEqual([tenant.workspaceId])
  const path = `/v1/workspaces/${tenant.workspaceId}`
  expect((await call('PATCH', path, { key, body: { name: 'x' } })).status).toBe(403)
  expect((await call('DELETE', path, { key })).status).toBe(403)
  expect((await call('POST', '/v1/workspaces', { key, body: { name: 'x' } })).status).toBe(403)
})
