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
