import { expect, test } from 'vitest'
import { call, newSession, newTenant } from '../../support/world.ts'

test('PATCH /api/users/me merges settings field by field, also at the same moment', async () => {
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
