import { expect, test } from 'vitest'
import { call, newSession, newTenant } from '../../support/world.ts'

test('POST /v1/api-keys answers 201 with the secret, which works, and no list shows it again', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const { status, body } = await call('POST', '/v1/api-keys', {
    headers,
    body: { name: 'Backend', scopes: ['read:projects'], environment: 'test' },
  })
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
    rotated_to: null,
  })
  expect((await call('GET', '/v1/projects', { key: body.key })).status).toBe(200)
  const list = await call('GET', '/v1/api-keys', { headers })
  expect(list.body.data).toHaveLength(2)
  expect(list.text).not.toContain(body.key)
  expect((await call('DELETE', `/v1/api-keys/${body.id}`, { headers })).status).toBe(204)
  expect((await call('GET', '/v1/projects', { key: body.key })).status).toBe(401)
})
