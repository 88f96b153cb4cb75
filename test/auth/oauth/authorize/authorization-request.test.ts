import { expect, test } from 'vitest'
import { readAuthorizationRequest } from '../../../../src/auth/oauth/authorize/authorization-request.ts'
import { authorizeQuery, CHALLENGE, newApp, newPerson, REDIRECT, requestContext } from '../../../support/oauth.ts'
import { system } from '../../../support/world.ts'

const read = (query: string, changes: Parameters<typeof requestContext>[0] = {}) =>
  readAuthorizationRequest(requestContext(changes), new URLSearchParams(query))

test('an authorization request is read with each of its parameters', async () => {
  const app = await newApp(await newPerson())
  const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
  const next = await read(authorizeQuery(app, { ...pkce, resource: 'http://recollect.test/mcp/' }))
  expect(next).toMatchObject({
    step: 'consent',
    request: {
      client: { id: app.client_id },
      redirectUri: REDIRECT,
      scopes: ['read:memory', 'write:memory'],
      state: 'xyz',
      challenge: CHALLENGE,
      resource: 'http://recollect.test/mcp',
    },
  })
})

test('a registered loopback redirect is refused once the deployment no longer allows them', async () => {
  const uri = 'http://127.0.0.1:4567/callback'
  const query = authorizeQuery(await newApp(await newPerson(), { redirect_uris: [uri] }), { redirect_uri: uri })
  expect(await read(query)).toMatchObject({ step: 'consent' })
  const config = { ...system.config, allowLoopbackRedirects: false }
  expect(await read(query, { config })).toMatchObject({ step: 'refuse' })
  // Its errors are shown here as well, and are not redirected.
  expect(await read(`${query}&response_type=token`, { config })).toMatchObject({ step: 'refuse' })
})
