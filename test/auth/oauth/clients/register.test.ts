import { expect, test } from 'vitest'
import { register } from '../../../../src/auth/oauth/clients/register.ts'
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

const open = () => requestContext({ config: { ...system.config, openClientRegistration: true } })

test('registration is closed unless the deployment opens it', async () => {
  const { status, body } = await call('POST', '/auth/register', { body: { redirect_uris: [REDIRECT] } })
  expect({ status, error: body.error }).toEqual({ status: 403, error: 'access_denied' })
})

test('RFC 7591: a registered application gets tokens with PKCE, and the consent page says that it registered itself', async () => {
  const app = await register(open(), {
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

test('the answer to a confidential registration has the secret', async () => {
  const app = await register(open(), { redirect_uris: [REDIRECT], scope: 'read:memory' })
  expect(app).toMatchObject({
    client_secret: expect.stringMatching(/^rcx_/),
    client_secret_expires_at: 0,
    scope: 'read:memory',
  })
})

test.each([
  [{}, 'invalid_redirect_uri'],
  [{ redirect_uris: [] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['https://a.example/#x'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
  [{ redirect_uris: [REDIRECT], grant_types: ['implicit'] }, 'invalid_client_metadata'],
  [{ redirect_uris: [REDIRECT], scope: 'admin:workspace' }, 'invalid_client_metadata'],
])('%j is %s', async (input, error) => {
  const { errors } = await settle([register(open(), input)])
  expect(errors).toEqual(new Set([error]))
})
