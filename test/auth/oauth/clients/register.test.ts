import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { register } from '../../../../src/auth/oauth/clients/register.ts'
import { formatScopes, OPEN_SCOPES } from '../../../../src/auth/oauth/scopes.ts'
import { serverMetadata } from '../../../../src/auth/oauth/metadata.ts'
import { travel } from '../../../support/clock.ts'
import {
  ask,
  authorizeQuery,
  CHALLENGE,
  decide,
  newApp,
  newCode,
  newPerson,
  redeem,
  REDIRECT,
  refreshWith,
  settle,
  VERIFIER,
  requestContext,
} from '../../../support/oauth.ts'
import { call, db, system } from '../../../support/world.ts'

const closed = () => requestContext({ config: { ...system.config, openClientRegistration: false } })
const strict = () => requestContext({ config: { ...system.config, allowLoopbackRedirects: false } })

const post = (body: unknown, ip: string) =>
  call('POST', '/auth/register', { body, headers: { 'CF-Connecting-IP': ip } })

test('registration is open unless the deployment closes it, and the metadata names it only where it is', async () => {
  expect((await post({ redirect_uris: [REDIRECT] }, '2001:db8:f1::1')).status).toBe(201)
  expect(serverMetadata(requestContext(), true)).toHaveProperty('registration_endpoint')
  expect((await settle([register(closed(), { redirect_uris: [REDIRECT] })])).errors).toEqual(new Set(['access_denied']))
  expect(serverMetadata(closed(), true)).not.toHaveProperty('registration_endpoint')
})

test('RFC 7591: a registered application gets tokens with PKCE, and the consent page says that it registered itself', async () => {
  const app = await register(requestContext(), {
    client_name: 'Walk-in',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
  })
  expect(app).toMatchObject({ client_name: 'Walk-in', token_endpoint_auth_method: 'none', redirect_uris: [REDIRECT] })
  expect(app).not.toHaveProperty('client_secret')
  expect(app.scope).not.toContain('admin:workspace')
  const person = await newPerson()
  const query = authorizeQuery(app, { code_challenge: CHALLENGE, code_challenge_method: 'S256' })
  expect((await ask(person, query)).text).toContain('registered itself')
  const code = (await decide(person, query)).searchParams.get('code') ?? ''
  const { status } = await redeem({ ...app, client_secret: '' }, code, { code_verifier: VERIFIER })
  expect(status).toBe(200)
})

test('the answer to a confidential registration has the secret, and such an application must use S256 too', async () => {
  const app = await register(requestContext(), { redirect_uris: [REDIRECT], scope: 'read:memory' })
  expect(app).toMatchObject({
    client_secret: expect.stringMatching(/^rcx_/),
    client_secret_expires_at: 0,
    scope: 'read:memory',
  })
  const refused = await ask(await newPerson(), authorizeQuery(app))
  expect(new URL(refused.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request')
})

test('what an application may not have is dropped, and the answer says what is left', async () => {
  const app = await register(strict(), {
    redirect_uris: [REDIRECT, 'javascript:alert(1)', 'evil://app/callback', 'http://localhost/callback', REDIRECT],
    grant_types: ['authorization_code', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'],
    token_endpoint_auth_method: 'none',
    scope: 'openid read:memory admin:workspace offline_access',
  })
  expect(app.redirect_uris).toEqual([REDIRECT, 'http://localhost/callback'])
  expect(app.scope).toBe('read:memory')
  expect(app.grant_types).toEqual(['authorization_code', 'refresh_token'])
})

test('contract §2: an application with a secret has HTTPS redirects only, even where a public one has loopback', async () => {
  const app = await register(strict(), {
    redirect_uris: [REDIRECT, 'http://localhost/callback', 'cursor://a/callback', 'com.example.agent:/callback'],
    token_endpoint_auth_method: 'client_secret_post',
  })
  expect(app.redirect_uris).toEqual([REDIRECT])
  const { errors } = await settle([register(strict(), { redirect_uris: ['http://localhost/callback'] })])
  expect(errors).toEqual(new Set(['invalid_redirect_uri']))
})

test.each([
  [{}, 'invalid_redirect_uri'],
  [{ redirect_uris: [] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['https://a.example/#x'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['evil://app/callback'], token_endpoint_auth_method: 'none' }, 'invalid_redirect_uri'],
  [{ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
  [{ redirect_uris: [REDIRECT], grant_types: ['implicit'] }, 'invalid_client_metadata'],
  [{ redirect_uris: [REDIRECT], scope: 'admin:workspace' }, 'invalid_client_metadata'],
  [{ redirect_uris: [REDIRECT], scope: 'openid groups' }, 'invalid_client_metadata'],
  [{ redirect_uris: null }, 'invalid_redirect_uri'],
])('%j is %s', async (input, error) => {
  const { errors } = await settle([register(requestContext(), input)])
  expect(errors).toEqual(new Set([error]))
})

test.each([
  ['a private-use redirect of a known agent', { redirect_uris: ['vscode://saoudrizwan.claude-dev/mcp-auth/callback'] }],
  ['a private-use redirect with a dot', { redirect_uris: ['com.example.agent:/oauth'] }],
  ['OpenID scopes alone', { scope: 'openid profile email offline_access' }],
  ['an empty list of grant types', { grant_types: [] }],
  ['null for whatever may be absent', { scope: null, client_name: null, grant_types: null, response_types: null }],
])('%s registers', async (_, more) => {
  const body = { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none', ...more }
  const registered = await post(body, '2001:db8:f2::1')
  expect(registered).toMatchObject({ status: 201, body: { redirect_uris: body.redirect_uris } })
  expect(registered.body.scope).toBe(formatScopes(OPEN_SCOPES))
})

test('null as the authentication method is a confidential application, as where it is absent', async () => {
  const app = await register(requestContext(), { redirect_uris: [REDIRECT], token_endpoint_auth_method: null })
  expect(app).toMatchObject({ token_endpoint_auth_method: 'client_secret_basic', client_secret: expect.any(String) })
})

test('a private-use redirect is compared whole, and gets the code of a consent', async () => {
  const redirect = 'com.example.agent:/oauth?via=recollect'
  const app = await register(requestContext(), { redirect_uris: [redirect], token_endpoint_auth_method: 'none' })
  const [person, pkce] = [await newPerson(), { code_challenge: CHALLENGE, code_challenge_method: 'S256' }]
  for (const other of ['com.example.agent:/oauth', 'com.example.agent:/other', 'com.example.other:/oauth'])
    expect((await ask(person, authorizeQuery(app, { ...pkce, redirect_uri: other }))).status).toBe(400)
  const query = authorizeQuery(app, { ...pkce, redirect_uri: redirect })
  const asked = await ask(person, query)
  expect(asked.headers.get('content-security-policy')).toContain("form-action 'self' com.example.agent:")
  expect(asked.text).toContain('an application on this computer')
  const back = await decide(person, query)
  expect(back.href).toMatch(/^com\.example\.agent:\/oauth\?via=recollect&code=rcc_/)
  const code = back.searchParams.get('code') ?? ''
  const fields = { redirect_uri: redirect, code_verifier: VERIFIER }
  expect((await redeem({ ...app, client_secret: '' }, code, fields)).status).toBe(200)
})

const MINUTES_MS = 60_000

test('contract §2: without an owner, a refresh token that is sent again within ten minutes gets the same successor', async () => {
  const registered = await register(requestContext(), { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' })
  const app = { ...registered, client_secret: '' }
  const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
  const code = await newCode(await newPerson(), app, pkce)
  const first = (await redeem(app, code, { code_verifier: VERIFIER })).body.refresh_token
  travel(0)
  const next = (await refreshWith(app, first)).body.refresh_token
  travel(10 * MINUTES_MS - 1)
  expect((await refreshWith(app, first)).body.refresh_token).toBe(next)
  travel(1)
  expect((await refreshWith(app, first)).body.error).toBe('invalid_grant')
  expect((await refreshWith(app, next)).body.error).toBe('invalid_grant')
})

test('the migration gives stored applications without an owner ten minutes, and leaves those of users', async () => {
  const owned = await newApp(await newPerson(), { refresh_grace_seconds: 5 })
  const unowned = await register(requestContext(), { redirect_uris: [REDIRECT] })
  await db.write('update oauth_clients set refresh_grace_seconds = 30 where id = :id', { id: unowned.client_id })
  const migration = env.MAIN_MIGRATIONS.flatMap(({ queries }) => queries).find((sql) =>
    sql.includes('`refresh_grace_seconds` = 600'),
  )
  await env.DB.prepare(migration ?? '').run()
  const graceOf = ({ client_id: id }: { client_id: string }) =>
    db.first('select refresh_grace_seconds as seconds from oauth_clients where id = :id', { id })
  expect([await graceOf(unowned), await graceOf(owned)]).toEqual([{ seconds: 600 }, { seconds: 5 }])
})

test('contract §6: an address registers ten applications a minute and twenty an hour', async () => {
  const body = { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }
  const tries = async (count: number, ip: string): Promise<number[]> => {
    const statuses: number[] = []
    for (let n = 0; n < count; n += 1) statuses.push((await post(body, ip)).status)
    return statuses
  }
  travel(0)
  expect(await tries(11, '203.0.113.91')).toEqual([...Array<number>(10).fill(201), 429])
  expect(await tries(1, '203.0.113.92')).toEqual([201])
  travel(61_000)
  expect(await tries(11, '203.0.113.91')).toEqual([...Array<number>(10).fill(201), 429])
  travel(122_000)
  const refused = await post(body, '203.0.113.91')
  expect([refused.status, refused.body.error]).toEqual([429, 'temporarily_unavailable'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
  travel(3_601_000)
  expect(await tries(1, '203.0.113.91')).toEqual([201])
})
