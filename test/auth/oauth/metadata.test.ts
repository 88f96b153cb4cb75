import { expect, test } from 'vitest'
import { LEFT_OUT_MS } from '../../../src/auth/oauth/clients/documents-left-out.ts'
import { SCOPES } from '../../../src/core/context.ts'
import { travel } from '../../support/clock.ts'
import { ORIGIN } from '../../support/oauth.ts'
import { call } from '../../support/world.ts'

test('RFC 8414: both paths answer the same', async () => {
  // Another test may have asked for a document where no resolver answers.
  travel(LEFT_OUT_MS)
  const root = await call('GET', '/.well-known/oauth-authorization-server')
  const inserted = await call('GET', '/.well-known/oauth-authorization-server/auth')
  expect(root.body).toEqual(inserted.body)
  expect(root.body).toMatchObject({
    issuer: ORIGIN,
    authorization_endpoint: `${ORIGIN}/auth/authorize`,
    token_endpoint: `${ORIGIN}/auth/token`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    scopes_supported: SCOPES.filter((scope) => scope !== 'admin:workspace'),
  })
  expect(root.body).toMatchObject({
    registration_endpoint: `${ORIGIN}/auth/register`,
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: expect.arrayContaining(['none']),
  })
  expect(root.headers.get('access-control-allow-origin')).toBe('*')
})

test('RFC 9728: a 401 names the metadata of the resource, and that names its authorization server', async () => {
  const refused = await call('GET', '/v1/projects')
  const url = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? ''
  const { body } = await call('GET', new URL(url).pathname)
  expect(body).toMatchObject({
    resource: ORIGIN,
    authorization_servers: [ORIGIN],
    bearer_methods_supported: ['header'],
  })
})

test('the endpoints that the metadata names exist', async () => {
  const { body } = await call('GET', '/.well-known/oauth-authorization-server')
  for (const name of ['token_endpoint', 'revocation_endpoint', 'introspection_endpoint']) {
    const { status } = await call('POST', new URL(body[name]).pathname, { raw: new URLSearchParams({}) })
    expect(status).toBe(401)
  }
})
