import { expect, test } from 'vitest'
import { expectAudited, newPerson, REDIRECT } from '../../support/oauth.ts'
import { call } from '../../support/world.ts'

const NEW = { name: 'Notes', redirect_uris: [REDIRECT], scopes: ['read:memory'] }

test('an application is made, listed, changed and deleted; its secret is shown once', async () => {
  const person = await newPerson()
  const headers = person.session
  const made = await call('POST', '/v1/apps', { headers, body: NEW })
  expect({ status: made.status, body: made.body }).toEqual({
    status: 201,
    body: {
      id: expect.stringMatching(/^app_/),
      client_id: made.body.id,
      name: 'Notes',
      type: 'confidential',
      redirect_uris: [REDIRECT],
      scopes: ['read:memory'],
      require_pkce: false,
      refresh_grace_seconds: 30,
      created_at: expect.stringMatching(/Z$/),
      updated_at: made.body.created_at,
      client_secret: expect.stringMatching(/^rcx_/),
    },
  })
  const { client_secret: _, ...app } = made.body
  const path = `/v1/apps/${app.id}`
  expect((await call('GET', path, { headers })).body).toEqual(app)
  expect((await call('GET', '/v1/apps', { headers })).body).toEqual({ data: [app], has_more: false, next_cursor: null })
  const changed = await call('PATCH', path, { headers, body: { name: 'Diary', require_pkce: true } })
  expect(changed.body).toMatchObject({ name: 'Diary', require_pkce: true, redirect_uris: [REDIRECT] })
  expect((await call('DELETE', path, { headers })).status).toBe(204)
  for (const method of ['GET', 'DELETE']) expect((await call(method, path, { headers })).status).toBe(404)
  await expectAudited(person.tenantId, ['apps.create', 'apps.update', 'apps.delete'])
})

test.each([
  [{ redirect_uris: ['http://client.example/'] }, 'redirect_uris.0'],
  [{ redirect_uris: ['https://client.example/#f'] }, 'redirect_uris.0'],
  [{ redirect_uris: [] }, 'redirect_uris'],
  [{ scopes: ['read:everything'] }, 'scopes.0'],
  [{ scopes: [] }, 'scopes'],
  [{ name: '' }, 'name'],
  [{ type: 'public', require_pkce: false }, 'require_pkce'],
  [{ refresh_grace_seconds: 61 }, 'refresh_grace_seconds'],
])('%j is 422', async (change, path) => {
  const { session } = await newPerson()
  const { status, body } = await call('POST', '/v1/apps', { headers: session, body: { ...NEW, ...change } })
  expect({ status, path: body.errors?.[0]?.path }).toEqual({ status: 422, path })
})

test('security 29: fields that the caller may not set are refused', async () => {
  const { session } = await newPerson()
  for (const field of ['id', 'client_id', 'client_secret', 'tenant_id', 'user_id', 'secret_hash', 'created_at']) {
    const { status, body } = await call('POST', '/v1/apps', { headers: session, body: { ...NEW, [field]: 'x' } })
    expect({ status, path: body.errors?.[0]?.path }).toEqual({ status: 422, path: field })
  }
})

test('an Idempotency-Key makes one application; its replay shows the secret as null', async () => {
  const { session } = await newPerson()
  const headers = { ...session, 'Idempotency-Key': 'one' }
  const first = await call('POST', '/v1/apps', { headers, body: NEW })
  const again = await call('POST', '/v1/apps', { headers, body: NEW })
  expect({ status: again.status, body: again.body }).toEqual({
    status: 201,
    body: { ...first.body, client_secret: null },
  })
})
