import { expect, test } from 'vitest'
import { call, db, newSession, newTenant, system } from '../../support/world.ts'

test('GET /v1/users/me/export answers what the service stores about a person, and no secret', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const app = await call('POST', '/v1/apps', {
    headers,
    body: { name: 'Notes', type: 'public', redirect_uris: ['https://notes.example/cb'], scopes: ['read:memory'] },
  })
  await db.write(
    `insert into oauth_grants (id, tenant_id, user_id, client_id, client_name, scopes, created_at)
     values (:id, :tenant, :user, 'app_other', 'Calendar', '["read:memory"]', 0)`,
    { id: system.newId('grt'), tenant: tenant.tenantId, user: tenant.userId },
  )
  const { status, body, text } = await call('GET', '/v1/users/me/export', { headers })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    user: { id: tenant.userId, email: tenant.email },
    workspaces: [{ id: tenant.workspaceId, role: 'owner' }],
    projects: [{ id: tenant.projectId, items: `/v1/memory/export?project_id=${tenant.projectId}` }],
    api_keys: [{ id: tenant.keyId }],
    sessions: [{ user_agent: 'test' }],
    applications: [{ client_id: app.body.client_id, name: 'Notes' }],
    grants: [{ application: 'Calendar', scopes: ['read:memory'], created_at: '1970-01-01T00:00:00.000Z' }],
  })
  expect(text).not.toMatch(/argon2|hash|rc[a-z]_/)
  const byKey = await call('GET', '/v1/users/me/export', { key: tenant.key })
  expect(byKey.body.code).toBe('session_required')
})
