/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import { addKey, addMember, call, newTenant } from '../../support/world.ts'

test('DELETE /api/projects/:id answers 204 without content; from then on it is a 404 like one that never was', async () => {
  const { key, projectId } = await newTenant()
  const gone = await call('DELETE', `/api/projects/${projectId}`, { key })
  expect({ status: gone.status, text: gone.text }).toEqual({ status: 204, text: '' })
  const again = await call('DELETE', `/api/projects/${projectId}`, { key })
  const never = await call('DELETE', '/api/projects/prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG', { key })
  expect([again.status, never.status]).toEqual([404, 404])
  expect({ ...again.body, request_id: '' }).toEqual({ ...never.body, request_id: '' })
  expect((await call('GET', `/v1/projects/${projectId}`, { key })).status).toBe(404)
})

test("security 26: another tenant's project is a 404 to get, change and delete, and stays as it is", async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const path = theirs.projectId
  const answers = [
    await call('GET', `/v1/projects/${path}`, { key: mine.key }),
    await call('PATCH', `/v1/projects/${path}`, { key: mine.key, body: { name: 'Mine' } }),
    await call('DELETE', `/api/projects/${path}`, { key: mine.key }),
  ]
  expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404])
  expect((await call('GET', `/v1/projects/${path}`, { key: theirs.key })).body.name).toBe('Default')
})

test.for([
  ['owner', 204],
  ['admin', 204],
  ['editor', 403],
  ['viewer', 403],
  [null, 404],
] as const)('role %s deletes a project of somebody else: %i', async ([role, status]) => {
  const tenant = await newTenant()
  const member = await addMember(tenant, role)
  const answer = await call('DELETE', `/api/projects/${tenant.projectId}`, { key: member.key })
  expect(answer.status).toBe(status)
})

test('an editor deletes the project that the editor made', async () => {
  const tenant = await newTenant()
  const { key } = await addMember(tenant, 'editor')
  const made = await call('POST', '/api/projects', { key, body: { name: 'Own', workspace_id: tenant.workspaceId } })
  expect((await call('DELETE', `/api/projects/${made.body.id}`, { key })).status).toBe(204)
})

test('security 27: a key limited to another project, to reading or to a namespace deletes nothing', async () => {
  const tenant = await newTenant()
  const other = await call('POST', '/api/projects', {
    key: tenant.key,
    body: { name: 'Other', workspace_id: tenant.workspaceId },
  })
  const attempt = async (permission: { project_id: string; access: 'read' | 'write'; namespaces?: string[] }) => {
    const { secret } = await addKey(tenant, { permissions: [permission] })
    return (await call('DELETE', `/api/projects/${tenant.projectId}`, { key: secret })).status
  }
  expect(await attempt({ project_id: other.body.id, access: 'write' })).toBe(404)
  expect(await attempt({ project_id: tenant.projectId, access: 'read' })).toBe(403)
  expect(await attempt({ project_id: tenant.projectId, access: 'write', namespaces: ['a'] })).toBe(403)
  expect(await attempt({ project_id: tenant.projectId, access: 'write' })).toBe(204)
})
