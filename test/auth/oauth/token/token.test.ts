/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import {
  authorizeQuery,
  basic,
  CHALLENGE,
  decide,
  newApp,
  newCode,
  newPerson,
  ORIGIN,
  redeem,
  refreshWith,
  REDIRECT,
  secretOf,
  statusWith,
  VERIFIER,
} from '../../../support/oauth.ts'
import { until } from '../../../support/until.ts'
import { call, form } from '../../../support/world.ts'

test("the customer's literal flow works as written: no PKCE, secret in the form, scopes joined by a plus sign", async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const query = `${authorizeQuery(app, { scope: null })}&scope=read:memory+write:memory`
  const back = await decide(person, query)
  expect(back.origin + back.pathname).toBe(REDIRECT)
  expect(Object.fromEntries(back.searchParams)).toEqual({
    code: expect.stringMatching(/^rcc_/),
    state: 'xyz',
    iss: ORIGIN,
  })
  const answer = await form('/auth/token', {
    client_id: app.client_id,
    client_secret: app.client_secret,
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: REDIRECT,
  })
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 200,
    body: {
      access_token: expect.stringMatching(/^rca_/),
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^rcr_/),
      scope: 'read:memory write:memory',
    },
  })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('ratelimit-policy')).toBe('"oauth.token";q=10;w=60')
})

test('a plus sign that arrives encoded separates scopes as a space does', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const { body } = await redeem(app, await newCode(person, app, { scope: 'write:memory+read:memory' }))
  expect(body.scope).toBe('read:memory write:memory')
})

test('an access token permits what its scopes permit, and nothing else', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const { body } = await redeem(app, await newCode(person, app, { scope: 'read:projects' }))
  const headers = { Authorization: `Bearer ${body.access_token}` }
  expect((await call('GET', '/v1/projects', { headers })).body.data).toMatchObject([{ id: person.projectId }])
  const refused = await call('POST', '/api/projects', {
    headers,
    body: { name: 'x', workspace_id: person.workspaceId },
  })
  expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 403, code: 'insufficient_scope' })
  expect((await call('GET', '/v1/apps', { headers })).body.code).toBe('session_required')
})

test('HTTP Basic authenticates the client as the form does', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const { status } = await form(
    '/auth/token',
    { grant_type: 'authorization_code', code: await newCode(person, app), redirect_uri: REDIRECT },
    basic(app.client_id, app.client_secret),
  )
  expect(status).toBe(200)
})

test('unknown parameters are ignored, in the form and in the query', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const { status } = await form('/auth/token?x=1', {
    ...secretOf(app),
    grant_type: 'authorization_code',
    code: await newCode(person, app, { nonce: 'n', prompt: 'consent' }),
    redirect_uri: REDIRECT,
    audience: 'somebody',
  })
  expect(status).toBe(200)
})

test('a public application gets tokens with PKCE and without a secret', async () => {
  const person = await newPerson()
  const app = await newApp(person, { type: 'public' })
  const code = await newCode(person, app, { code_challenge: CHALLENGE, code_challenge_method: 'S256' })
  const { status, body } = await redeem(app, code, { code_verifier: VERIFIER })
  expect({ status, refresh: body.refresh_token }).toEqual({ status: 200, refresh: expect.stringMatching(/^rcr_/) })
})

test('failures are RFC 6749 §5.2 bodies', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const send = (fields: Record<string, string>) => form('/auth/token', { ...secretOf(app), ...fields })
  const outcomes = [
    await send({}),
    await send({ grant_type: 'password', username: 'a', password: 'b' }),
    await send({ grant_type: 'authorization_code' }),
    await send({ grant_type: 'refresh_token' }),
    await send({ grant_type: 'authorization_code', code: 'rcc_made-up', redirect_uri: REDIRECT }),
    await send({ grant_type: 'refresh_token', refresh_token: 'x', resource: 'https://elsewhere.example' }),
  ]
  expect(outcomes.map(({ status, body }) => [status, body.error])).toEqual([
    [400, 'invalid_request'],
    [400, 'unsupported_grant_type'],
    [400, 'invalid_request'],
    [400, 'invalid_request'],
    [400, 'invalid_grant'],
    [400, 'invalid_target'],
  ])
  for (const { headers, body } of outcomes) {
    expect(headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(body)).toEqual(['error', 'error_description'])
  }
})

test('GET is 405 with Allow, in the same shape', async () => {
  const { status, headers, body } = await call('GET', '/auth/token')
  expect({ status, allow: headers.get('allow'), error: body.error }).toEqual({
    status: 405,
    allow: 'POST',
    error: 'invalid_request',
  })
})

test('resource (RFC 8707) is accepted for this service only', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const code = await newCode(person, app, { resource: ORIGIN })
  const { status, body } = await redeem(app, code, { resource: `${ORIGIN}/` })
  expect(status).toBe(200)
  expect(await statusWith(body.access_token)).toBe(403)
})

test('pages of any origin may call the token endpoint, without credentials; the authorize page answers none', async () => {
  const Origin = 'https://app.example'
  const preflight = await call('OPTIONS', '/auth/token', {
    headers: { Origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
  const page = await call('GET', '/auth/authorize?client_id=nobody', { headers: { Origin } })
  expect(page.headers.get('access-control-allow-origin')).toBeNull()
})

test('security 17: each kind of token in each other place is refused', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const code = await newCode(person, app)
  const { body } = await redeem(app, await newCode(person, app))
  const tokens = {
    access: body.access_token,
    refresh: body.refresh_token,
    secret: app.client_secret,
    session: person.session['X-Session-Token'],
    key: person.key,
    code,
  }
  const status = async (headers: Record<string, string>) => (await call('GET', '/v1/grants', { headers })).status
  const places: Record<string, (token: string) => Promise<number>> = {
    access: (token) => status({ Authorization: `Bearer ${token}` }),
    key: (token) => status({ 'X-API-Key': token }),
    session: (token) => status({ 'X-Session-Token': token }),
    secret: async (token) => (await redeem({ ...app, client_secret: token }, code)).status,
  }
  for (const [place, send] of Object.entries(places)) {
    const foreign = Object.entries(tokens).filter(([kind]) => kind !== place)
    const statuses = await Promise.all(foreign.map(([, token]) => send(token)))
    expect({ place, statuses }).toEqual({ place, statuses: foreign.map(() => 401) })
  }
  const grants = [tokens.access, tokens.refresh, tokens.secret, tokens.session, tokens.key]
  for (const token of grants) expect((await redeem(app, token)).body.error).toBe('invalid_grant')
})

test('security 49: consent, its refusal, tokens and refused exchanges are in the audit log, without a secret', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  await decide(person, authorizeQuery(app), 'deny')
  const { body } = await redeem(app, await newCode(person, app))
  await redeem(app, await newCode(person, app), { redirect_uri: 'https://elsewhere.example/' })
  await refreshWith(app, body.refresh_token)
  await form('/auth/revoke', { ...app, token: body.refresh_token })
  const expected = [
    'apps.create success',
    'oauth.consent access_denied',
    'oauth.consent success',
    'oauth.token success',
    'oauth.token invalid_grant',
    'oauth.refresh success',
    'oauth.revoke success',
  ]
  const log = await until(
    async () => {
      const answer = await call('GET', '/v1/audit?limit=100', { key: person.key })
      const rows = answer.body.data.map((row: { action: string; outcome: string }) => `${row.action} ${row.outcome}`)
      expect(rows).toEqual(expect.arrayContaining(expected))
      return answer.text
    },
    { everyMs: 300 },
  )
  for (const secret of [app.client_secret, body.access_token, body.refresh_token]) expect(log).not.toContain(secret)
  for (const outcome of ['access_denied', 'invalid_grant']) {
    const { body: found } = await call('GET', `/v1/audit?outcome=${outcome}`, { key: person.key })
    expect(found.data, outcome).toMatchObject([{ outcome }])
  }
})
