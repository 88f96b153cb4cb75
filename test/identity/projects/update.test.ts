import { expect, test } from 'vitest'
import { addKey, addMember, call, newTenant } from '../../support/world.ts'

test('PATCH /v1/projects/:id changes what is named and leaves the rest', async () => {
  const { key, projectId } = await newTenant()
  const before = await call('GET', `/v1/projects/${projectId}`, { key })
  const { status, body } = await call('PATCH', `/v1/projects/${projectId}`, {
    key,
    body: { description: 'Notes', icon: '🗒️' },
  })
  expect(status).toBe(200)
  expect(body).toEqual({ ...before.body, description: 'Notes', icon: '🗒️', updated_at: expect.stringMatching(/Z$/) })
})

test.for([
  ['editor', 200],
  ['viewer', 403],
  [null, 404],
] as const)('role %s changes a project: %i', async ([role, status]) => {
  const tenant = await newTenant()
  const { key } = await addMember(tenant, role)
  expect((await call('PATCH', `/v1/projects/${tenant.projectId}`, { key, body: { name: 'New' } })).status).toBe(status)
})

test('security 29: fields that are not the client’s to set are 422', async () => {
  const { key, projectId } = await newTenant()
  for (const field of ['id', 'tenant_id', 'created_by', 'workspace_id', 'deleted_at'])
    expect((await call('PATCH', `/v1/projects/${projectId}`, { key, body: { [field]: 'x' } })).status).toBe(422)
})

test('security 27: a key limited to another project, to reading or to a namespace changes no project (contract §4)', async () => {
  const tenant = await newTenant()
  const attempt = async (permission: { project_id: string; access: 'read' | 'write'; namespaces?: string[] }) => {
    const { secret } = await addKey(tenant, { permissions: [permission] })
    return (await call('PATCH', `/v1/projects/${tenant.projectId}`, { key: secret, body: { name: 'New' } })).status
  }
  const { projectId } = await newTenant()
  expect(await attempt({ project_id: projectId, access: 'write' })).toBe(404)
  expect(await attempt({ project_id: tenant.projectId, access: 'read' })).toBe(403)
  expect(await attempt({ project_id: tenant.projectId, access: 'write', namespaces: ['a'] })).toBe(403)
  expect(await attempt({ project_id: tenant.projectId, access: 'write' })).toBe(200)
})
