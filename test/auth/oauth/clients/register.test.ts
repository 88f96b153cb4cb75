import { expect, test } from 'vitest'
import { register } from '../../../../src/auth/oauth/clients/register.ts'
import { serverMetadata } from '../../../../src/auth/oauth/metadata.ts'
import { travel } from '../../../support/clock.ts'
import {
  ask,
  authorizeQuery,
  CHALLENGE,
  decide,
  newPerson,
  redeem,
  REDIRECT,
  settle,
  VERIFIER,
  requestContext,
} from '../../../support/oauth.ts'
import { call, system } from '../../../support/world.ts'

const closed = () => requestContext({ config: { ...system.config, openClientRegistration: false } })
const strict = () => requestContext({ config: { ...system.config, allowLoopbackRedirects: false } })

const post = (body: unknown, ip: string) =>
  call('POST', '/auth/register', { body, headers: { 'CF-Connecting-IP': ip } })

test('registration is open unless the deployment closes it, and the metadata names it only where it is', async () => {
  expect((await post({ redirect_uris: [REDIRECT] }, '2001:db8:f1::1')).status).toBe(201)
  expect(serverMetadata(requestContext())).toHaveProperty('registration_endpoint')
  expect((await settle([register(closed(), { redirect_uris: [REDIRECT] })])).errors).toEqual(new Set(['access_denied']))
  expect(serverMetadata(closed())).not.toHaveProperty('registration_endpoint')
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
    token_endpoint_auth_method: 'none',
    scope: 'openid read:memory admin:workspace offline_access',
  })
  expect(app.redirect_uris).toEqual([REDIRECT, 'http://localhost/callback'])
  expect(app.scope).toBe('read:memory')
})

test('contract §2: an application with a secret has HTTPS redirects only, even where a public one has loopback', async () => {
  const app = await register(strict(), {
    redirect_uris: [REDIRECT, 'http://localhost/callback', 'cursor://anysphere.cursor-mcp/oauth/callback'],
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
  [{ redirect_uris: [REDIRECT], scope: 'openid profile email' }, 'invalid_client_metadata'],
])('%j is %s', async (input, error) => {
  const { errors } = await settle([register(requestContext(), input)])
  expect(errors).toEqual(new Set([error]))
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
