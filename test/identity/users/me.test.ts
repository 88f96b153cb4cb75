import { expect, test } from 'vitest'
import { call, newSession, newTenant } from '../../support/world.ts'

test('GET /api/users/me answers the profile with the defaults of a new user', async () => {
  const { key, userId, email } = await newTenant()
  const { status, body } = await call('GET', '/api/users/me', { key })
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      id: userId,
      email,
      name: expect.stringMatching(/^User/),
      avatar_url: '',
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
      settings: { theme: 'system', language: 'en-US', notifications: { email: true, push: true } },
    },
  })
})

test('PATCH merges settings member by member, also at the same moment', async () => {
  const { key } = await newTenant()
  const patch = (body: unknown) => call('PATCH', '/api/users/me', { key, body })
  await Promise.all([
    patch({ settings: { theme: 'dark' } }),
    patch({ settings: { notifications: { push: false } } }),
    patch({ name: 'Ada', avatar_url: 'https://example.com/a.png' }),
  ])
  const { body } = await patch({ settings: { language: 'pt-br' } })
  expect(body).toMatchObject({
    name: 'Ada',
    avatar_url: 'https://example.com/a.png',
    settings: { theme: 'dark', language: 'pt-BR', notifications: { email: true, push: false } },
  })
})

test.for([
  { settings: { theme: 'blue' } },
  { settings: { language: 'not a tag' } },
  { settings: { colour: 'x' } },
  { settings: { notifications: { sms: true } } },
  { avatar_url: 'http://example.com/a.png' },
  { avatar_url: 'javascript:alert(1)' },
  { name: '' },
])('%o is 422', async (body) => {
  const { key } = await newTenant()
  expect((await call('PATCH', '/api/users/me', { key, body })).status).toBe(422)
})

test('security 29: a profile takes no id, role, scope, hash or address', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  for (const field of ['id', 'tenant_id', 'email', 'role', 'scopes', 'password_hash', 'kind', 'created_at'])
    expect((await call('PATCH', '/api/users/me', { headers, body: { [field]: 'x' } })).status).toBe(422)
})

test('a key of a workspace has no user context: 403 user_context_required', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const { body } = await call('POST', '/v1/api-keys', {
    headers,
    body: { name: 'CI', scopes: ['read:profile', 'write:profile'], owner: 'workspace' },
  })
  for (const method of ['GET', 'PATCH']) {
    const answer = await call(method, '/api/users/me', { key: body.key, ...(method === 'PATCH' ? { body: {} } : {}) })
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 403, code: 'user_context_required' })
  }
})

test('the export holds what the service knows of a person, and no secret', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const { status, body, text } = await call('GET', '/v1/users/me/export', { headers })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    user: { id: tenant.userId, email: tenant.email },
    workspaces: [{ id: tenant.workspaceId, role: 'owner' }],
    projects: [{ id: tenant.projectId, items: `/v1/memory/export?project_id=${tenant.projectId}` }],
    api_keys: [{ id: tenant.keyId }],
    sessions: [{ user_agent: 'test' }],
    applications: [],
    grants: [],
  })
  expect(text).not.toMatch(/argon2|hash|rc[a-z]_/)
  const byKey = await call('GET', '/v1/users/me/export', { key: tenant.key })
  expect(byKey.body.code).toBe('session_required')
})
