import { expect, test } from 'vitest'
import { readAuthorizeRequest } from '../../../../src/auth/oauth/authorize/authorization-request.ts'
import { authorizeQuery, CHALLENGE, newApp, newPerson, REDIRECT, requestContext } from '../../../support/oauth.ts'
import { system } from '../../../support/world.ts'

const read = (query: string, changes: Parameters<typeof requestContext>[0] = {}) =>
  readAuthorizeRequest(requestContext(changes), new URLSearchParams(query))

test('what an application asks for, every part of it checked', async () => {
  const app = await newApp(await newPerson())
  const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
  const reading = await read(authorizeQuery(app, { ...pkce, resource: 'http://recollect.test' }))
  expect(reading).toMatchObject({
    outcome: 'ask',
    request: {
      client: { id: app.client_id },
      redirectUri: REDIRECT,
      scopes: ['read:memory', 'write:memory'],
      state: 'xyz',
      challenge: CHALLENGE,
      resource: 'http://recollect.test',
    },
  })
})

test('a loopback redirect that was registered leads nowhere once the deployment takes no such ones any more', async () => {
  const uri = 'http://127.0.0.1:4567/callback'
  const query = authorizeQuery(await newApp(await newPerson(), { redirect_uris: [uri] }), { redirect_uri: uri })
  expect(await read(query)).toMatchObject({ outcome: 'ask' })
  const config = { ...system.config, allowLoopbackRedirects: false }
  expect(await read(query, { config })).toMatchObject({ outcome: 'refused' })
  // Its errors stay here as well.
  expect(await read(`${query}&response_type=token`, { config })).toMatchObject({ outcome: 'refused' })
})
