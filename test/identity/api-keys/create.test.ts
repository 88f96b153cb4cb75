/** @module-tag shards */
import { expect, test } from 'vitest'
import { addKey, addMember, call, db, newSession, newTenant, system } from '../../support/world.ts'
import { travel } from '../../support/clock.ts'

const create = (credential: { key?: string; headers?: Record<string, string> }, body: Record<string, unknown>) =>
  call('POST', '/v1/api-keys', { ...credential, body: { name: 'Made', scopes: ['read:projects'], ...body } })

test('POST /v1/api-keys answers 201 with the secret, which works, and no list shows it again', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const { status, body } = await create({ headers }, { name: 'Backend', environment: 'test' })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^key_/),
    key: expect.stringMatching(/^rck_test_/),
    name: 'Backend',
    prefix: 'rck_test_',
    last_four: body.key.slice(-4),
    environment: 'test',
    owner: 'user',
    workspace_id: null,
    scopes: ['read:projects'],
    permissions: null,
    status: 'active',
    created_at: expect.stringMatching(/Z$/),
    created_by: tenant.userId,
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
    rotated_to: null,
  })
  expect((await call('GET', '/v1/projects', { key: body.key })).status).toBe(200)
  expect((await call('GET', '/v1/workspaces', { key: body.key })).status).toBe(200)
  expect((await call('GET', '/api/users/me', { key: body.key })).body.code).toBe('insufficient_scope')
  const list = await call('GET', '/v1/api-keys', { headers })
  expect(list.body.data).toHaveLength(2)
  expect(list.text + (await call('GET', `/v1/api-keys/${body.id}`, { headers })).text).not.toContain(body.key)
  const stored = JSON.stringify(await db.first('select * from api_keys where id = :id', { id: body.id }))
  expect(stored).not.toContain(body.key.slice(9, -4))
})

test('a replay with the same Idempotency-Key shows the key without its secret', async () => {
  const headers = { ...(await newSession(await newTenant())), 'Idempotency-Key': 'k' }
  const first = await create({ headers }, {})
  const again = await create({ headers }, {})
  expect(again).toMatchObject({ status: 201, body: { ...first.body, key: null } })
})

test('security 25: a key with admin:workspace makes only narrower keys, without that scope none', async () => {
  const tenant = await newTenant()
  const { secret: admin } = await addKey(tenant, { scopes: ['admin:workspace', 'read:projects'] })
  const { secret: plain } = await addKey(tenant, { scopes: ['read:projects'] })
  expect((await create({ key: admin }, {})).status).toBe(201)
  expect((await create({ key: admin }, { scopes: ['read:memory'] })).body.code).toBe('forbidden')
  expect((await create({ key: admin }, { scopes: ['admin:workspace'] })).body.code).toBe('forbidden')
  expect((await create({ key: plain }, {})).body.code).toBe('insufficient_scope')
})

test('security 25: a rotated key makes no keys, though it still works during its overlap', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const maker = await addKey(tenant, { scopes: ['admin:workspace', 'read:projects'] })
  expect((await create({ key: maker.secret }, {})).status).toBe(201)
  expect((await call('POST', `/v1/api-keys/${maker.id}/rotate`, { headers })).status).toBe(201)
  expect((await call('GET', '/v1/projects', { key: maker.secret })).status).toBe(200)
  expect(await create({ key: maker.secret }, {})).toMatchObject({ status: 403, body: { code: 'forbidden' } })
})

test('security 25: a user’s key can never do more than its maker can do now', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'editor')
  const { body } = await create({ headers: await newSession(member) }, { scopes: ['write:projects', 'read:projects'] })
  const write = () =>
    call('POST', '/api/projects', { key: body.key, body: { name: 'x', workspace_id: tenant.workspaceId } })
  expect((await write()).status).toBe(201)
  const path = `/v1/workspaces/${tenant.workspaceId}/members/${member.userId}`
  await call('PATCH', path, { key: tenant.key, body: { role: 'viewer' } })
  expect((await write()).status).toBe(403)
  await call('DELETE', path, { key: tenant.key })
  expect((await write()).status).toBe(404)
})

test('a workspace’s key acts as its service account, editor at most, and outlives its maker', async () => {
  const tenant = await newTenant()
  const admin = await addMember(tenant, 'admin')
  const owner = { owner: 'workspace', workspace_id: tenant.workspaceId }
  const made = await create(
    { headers: await newSession(admin) },
    { ...owner, scopes: ['read:projects', 'write:projects'] },
  )
  expect(made).toMatchObject({ status: 201, body: { owner: 'workspace', created_by: admin.userId } })
  const second = await create({ headers: await newSession(tenant) }, owner)
  const members = await call('GET', `/v1/workspaces/${tenant.workspaceId}/members`, { key: tenant.key })
  expect(members.body.data.filter((one: { kind: string }) => one.kind === 'service')).toMatchObject([
    { role: 'editor' },
  ])
  await call('DELETE', `/v1/workspaces/${tenant.workspaceId}/members/${admin.userId}`, { key: tenant.key })
  const project = await call('POST', '/api/projects', {
    key: made.body.key,
    body: { name: 'By CI', workspace_id: tenant.workspaceId },
  })
  expect(project.status).toBe(201)
  expect(project.body.created_by).not.toBe(admin.userId)
  expect((await create({ key: second.body.key }, {})).status).toBe(403)
  const account = members.body.data.find((one: { kind: string }) => one.kind === 'service')
  const promote = await call('PATCH', `/v1/workspaces/${tenant.workspaceId}/members/${account.user_id}`, {
    headers: await newSession(tenant),
    body: { role: 'admin' },
  })
  expect(promote).toMatchObject({ status: 422, body: { errors: [{ code: 'service_role' }] } })
})

test('only those who manage a workspace make its keys; another tenant’s is a 404', async () => {
  const tenant = await newTenant()
  const stranger = await newTenant()
  const owner = { owner: 'workspace', workspace_id: tenant.workspaceId }
  const editor = await newSession(await addMember(tenant, 'editor'))
  expect((await create({ headers: editor }, owner)).status).toBe(403)
  expect((await create({ headers: await newSession(stranger) }, owner)).status).toBe(404)
})

test('permissions limit a key to projects; a project not seen, named twice, or of another workspace is 422', async () => {
  const tenant = await newTenant()
  const stranger = await newTenant()
  const headers = await newSession(tenant)
  const other = await call('POST', '/api/projects', { headers, body: { name: 'x', workspace_id: tenant.workspaceId } })
  const made = await create({ headers }, { permissions: [{ project_id: tenant.projectId, access: 'read' }] })
  expect(made.body.permissions).toEqual([{ project_id: tenant.projectId, access: 'read' }])
  const seen = await call('GET', '/v1/projects', { key: made.body.key })
  expect(seen.body.data.map((one: { id: string }) => one.id)).toEqual([tenant.projectId])
  expect((await call('GET', `/v1/projects/${other.body.id}`, { key: made.body.key })).status).toBe(404)
  const attempt = async (permissions: unknown[]) => (await create({ headers }, { permissions })).status
  expect(await attempt([{ project_id: stranger.projectId, access: 'read' }])).toBe(422)
  expect(await attempt([{ project_id: tenant.projectId, access: 'admin' }])).toBe(422)
  expect(await attempt([])).toBe(422)
  const twice = { project_id: tenant.projectId, access: 'read' }
  expect(await attempt([twice, twice])).toBe(422)
})

test.for([
  [-1, 200],
  [0, 401],
  [1, 401],
] as const)('a key %i s past its expires_at: %i, also where a hub had it warm', async ([seconds, status]) => {
  const tenant = await newTenant()
  travel(0)
  const expiresAt = new Date(system.now() + 60_000)
  const { body } = await create({ headers: await newSession(tenant) }, { expires_at: expiresAt.toISOString() })
  expect((await call('GET', '/v1/projects', { key: body.key })).status).toBe(200)
  travel(60_000 + seconds * 1_000)
  expect((await call('GET', '/v1/projects', { key: body.key })).status).toBe(status)
})

test('security 29: a key takes no id, hash, user or past expiry', async () => {
  const headers = await newSession(await newTenant())
  for (const field of ['id', 'token_hash', 'user_id', 'tenant_id', 'created_by', 'key'])
    expect((await create({ headers }, { [field]: 'x' })).status).toBe(422)
  expect((await create({ headers }, { expires_at: '2020-01-01T00:00:00Z' })).status).toBe(422)
  expect((await create({ headers }, { scopes: ['read:everything'] })).status).toBe(422)
  expect((await create({ headers }, { workspace_id: 'wsp_x' })).status).toBe(422)
})

test('security 27: a key that is limited to a project sees and ends keys within it alone', async () => {
  const tenant = await newTenant()
  const other = await call('POST', '/api/projects', {
    key: tenant.key,
    body: { name: 'x', workspace_id: tenant.workspaceId },
  })
  const only = (project_id: string) => ({ permissions: [{ project_id, access: 'write' as const }] })
  const { id: own, secret: key } = await addKey(tenant, only(tenant.projectId))
  const elsewhere = await addKey(tenant, only(other.body.id))
  const list = await call('GET', '/v1/api-keys', { key })
  expect(list.body.data.map((one: { id: string }) => one.id)).toEqual([own])
  expect((await call('GET', `/v1/api-keys/${elsewhere.id}`, { key })).status).toBe(404)
  expect((await call('DELETE', `/v1/api-keys/${tenant.keyId}`, { key })).status).toBe(404)
})

test('a new key raises a notification to its maker', async () => {
  const tenant = await newTenant()
  const { body } = await create({ headers: await newSession(tenant) }, {})
  const [event] = await db.all<{ data: string; targets: string }>(
    `select data, targets from events where tenant_id = :tenant and type = 'system.notification'`,
    { tenant: tenant.tenantId },
  )
  expect(JSON.parse(event?.data ?? '{}')).toMatchObject({ code: 'api_key.created', key_id: body.id })
  expect(JSON.parse(event?.targets ?? '[]')).toEqual([tenant.userId])
})
