import { expect, test } from 'vitest'
import { expectAudited, clientOf, newApp, newPerson, newTokens, REDIRECT, secretOf } from '../../support/oauth.ts'
import { addKey, call, db, form } from '../../support/world.ts'

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

test('lists come in pages, newest first', async () => {
  const person = await newPerson()
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) ids.unshift((await newApp(person)).client_id)
  const first = await call('GET', '/v1/apps?limit=2', { headers: person.session })
  const second = await call('GET', `/v1/apps?limit=2&cursor=${first.body.next_cursor}`, { headers: person.session })
  expect([...first.body.data, ...second.body.data].map((app) => app.id)).toEqual(ids)
  expect([first.body.has_more, second.body.has_more]).toEqual([true, false])
})

test('only a session manages applications', async () => {
  const person = await newPerson()
  const { access_token } = await newTokens(person, await newApp(person))
  const key = await addKey(person)
  for (const headers of [{ Authorization: `Bearer ${access_token}` }, { 'X-API-Key': key.secret }]) {
    const { status, body } = await call('GET', '/v1/apps', { headers })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'session_required' })
  }
})

test("somebody else's application is as absent as one that never was", async () => {
  const [owner, other] = [await newPerson(), await newPerson()]
  const { client_id } = await newApp(owner)
  for (const [method, suffix, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/rotate-secret', undefined],
  ] as const) {
    const answers = []
    for (const id of [client_id, 'app_00000000000000000000000000']) {
      const answer = await call(method, `/v1/apps/${id}${suffix}`, { headers: other.session, body })
      answers.push({ ...answer.body, request_id: '' })
    }
    expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' })
    expect(answers[0]).toEqual(answers[1])
  }
  expect((await call('GET', '/v1/apps', { headers: other.session })).body.data).toEqual([])
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

test("security 29: fields that are not the caller's to set are refused", async () => {
  const { session } = await newPerson()
  for (const field of ['id', 'client_id', 'client_secret', 'tenant_id', 'user_id', 'secret_hash', 'created_at']) {
    const { status, body } = await call('POST', '/v1/apps', { headers: session, body: { ...NEW, [field]: 'x' } })
    expect({ status, path: body.errors?.[0]?.path }).toEqual({ status: 422, path: field })
  }
})

test('while a rotation overlaps two secrets are alive, and never three', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const rotate = async (body?: unknown): Promise<string> =>
    (await call('POST', `/v1/apps/${app.client_id}/rotate-secret`, { headers: person.session, body })).body
      .client_secret
  const opens = async (client_secret: string): Promise<boolean> =>
    (await form('/auth/introspect', { ...app, client_secret, token: 'x' })).status === 200
  const second = await rotate()
  expect([await opens(app.client_secret), await opens(second)]).toEqual([true, true])
  const third = await rotate({ overlap_seconds: 60 })
  expect([await opens(app.client_secret), await opens(second), await opens(third)]).toEqual([false, true, true])
  const last = await rotate({ overlap_seconds: 0 })
  expect([await opens(second), await opens(third), await opens(last)]).toEqual([false, false, true])
})

test('an old secret at the end of its overlap: alive at t - 1, dead at t and t + 1', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  await call('POST', `/v1/apps/${app.client_id}/rotate-secret`, {
    headers: person.session,
    body: { overlap_seconds: 60 },
  })
  const [row] = await db.all<{ end: number }>(
    'select old_secret_expires_at as end from oauth_clients where id = ?',
    app.client_id,
  )
  const alive = async (offset: number): Promise<number> =>
    (await clientOf(app, (row?.end ?? 0) + offset)).secretHashes.length
  expect([await alive(-1), await alive(0), await alive(1)]).toEqual([2, 1, 1])
})

test('a public application has no secret to rotate', async () => {
  const person = await newPerson()
  const app = await newApp(person, { type: 'public' })
  expect(secretOf(app)).toEqual({ client_id: app.client_id })
  const { status, body } = await call('POST', `/v1/apps/${app.client_id}/rotate-secret`, { headers: person.session })
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'conflict' })
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
