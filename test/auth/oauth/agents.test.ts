/** @module-tag long */
import { expect, test } from 'vitest'
import { approveAs, documentHost, serving, signedIn } from '../../support/documents.ts'
import {
  ask,
  CHALLENGE,
  decide,
  newPerson,
  ORIGIN,
  redeem,
  refreshWith,
  statusWith,
  VERIFIER,
  type App,
} from '../../support/oauth.ts'
import { call } from '../../support/world.ts'
import { DOCUMENTS, REGISTRATIONS, type Registration } from './recordings/agents.ts'

let address = 0
const ip = () => ({ 'CF-Connecting-IP': `2001:db8:a6e0:${(address += 1).toString(16)}::1` })

const filled = (query: string, clientId: string): string =>
  query
    .replace('{client_id}', encodeURIComponent(clientId))
    .replace('{base}', encodeURIComponent(ORIGIN))
    .replace('{challenge}', CHALLENGE)

const register = (body: string, headers: Record<string, string> = {}) =>
  call('POST', '/auth/register', { raw: body, headers: { 'Content-Type': 'application/json', ...ip(), ...headers } })

/** From the code in the address to which the browser went to a refreshed token, which stays at `/mcp`. */
async function expectTokens(app: App, back: URL, redirect: string, scope: string, resource: boolean): Promise<void> {
  expect(back.href.startsWith(`${redirect}?code=`), back.href).toBe(true)
  const code = back.searchParams.get('code') ?? ''
  const named: Record<string, string> = resource ? { resource: `${ORIGIN}/mcp` } : {}
  const first = await redeem(app, code, { redirect_uri: redirect, code_verifier: VERIFIER, ...named })
  expect([first.status, first.body.scope]).toEqual([200, scope])
  const next = await refreshWith(app, first.body.refresh_token, named)
  expect([next.status, next.body.scope]).toEqual([200, scope])
  expect(await statusWith(next.body.access_token)).toBe(resource ? 401 : 403)
}

test.each(REGISTRATIONS)('$agent registers itself, asks for consent and gets its tokens', async (recorded) => {
  const registered = await register(recorded.body)
  expect(registered.status).toBe(201)
  expect(registered.body).toMatchObject({ redirect_uris: recorded.kept, token_endpoint_auth_method: 'none' })
  const app = { client_id: registered.body.client_id, client_secret: '' }
  for (const { query, redirect, scope } of recorded.requests) {
    const asked = filled(query, app.client_id)
    const back = await decide(await newPerson(), asked)
    await expectTokens(app, back, redirect, scope, query.includes('resource='))
  }
})

test.each(DOCUMENTS)('$agent is a metadata document, asks for consent and gets its tokens', async (recorded) => {
  const host = documentHost()
  host.answers.set(recorded.url, serving(recorded.document))
  for (const { query, redirect, scope } of recorded.requests) {
    const ctx = await signedIn(await newPerson(), { clientDocuments: host })
    const back = await approveAs(ctx, filled(query, recorded.url))
    await expectTokens({ client_id: recorded.url, client_secret: '' }, back, redirect, scope, true)
  }
})

test('agents that register with every scope that the metadata advertises are accepted, at the root and at /mcp', async () => {
  for (const path of ['', '/mcp']) {
    const { body } = await call('GET', `/.well-known/oauth-protected-resource${path}`)
    const scope = body.scopes_supported.join(' ')
    const registered = await register(
      JSON.stringify({ redirect_uris: ['http://localhost/cb'], token_endpoint_auth_method: 'none', scope }),
    )
    expect([registered.status, registered.body.scope]).toEqual([201, scope])
  }
})

test('clients in a browser read metadata, register and get tokens from any origin', async () => {
  const Origin = 'http://localhost:6274'
  const paths = [
    ['GET', '/.well-known/oauth-protected-resource/mcp', 'mcp-protocol-version'],
    ['GET', '/.well-known/oauth-authorization-server', 'mcp-protocol-version'],
    ['POST', '/auth/register', 'content-type'],
    ['POST', '/auth/token', 'content-type'],
    ['POST', '/auth/revoke', 'content-type'],
  ] as const
  for (const [method, path, header] of paths) {
    const preflight = await call('OPTIONS', path, {
      headers: { Origin, 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': header },
    })
    expect(preflight.status, path).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin'), path).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase(), path).toContain(header)
    const answer = await call(method, path, { headers: { Origin, ...ip() } })
    expect(answer.headers.get('access-control-allow-origin'), path).toBe('*')
  }
})

const [, , cursor] = REGISTRATIONS as [Registration, Registration, Registration]

test('security 62: of two agents on one loopback port, neither redeems a code of the other', async () => {
  const [one, two] = await Promise.all([register(cursor.body), register(cursor.body)])
  const query = filled(cursor.requests[2]?.query ?? '', one.body.client_id)
  const code = (await decide(await newPerson(), query)).searchParams.get('code') ?? ''
  const redirect_uri = 'http://localhost:8787/callback'
  const asOther = { client_id: two.body.client_id, client_secret: '' }
  const stolen = await redeem(asOther, code, { redirect_uri, code_verifier: VERIFIER })
  expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant'])
  // The ids of applications are public, but the verifier is not.
  const app = { client_id: one.body.client_id, client_secret: '' }
  const guessed = await redeem(app, code, { redirect_uri, code_verifier: 'a'.repeat(43) })
  expect([guessed.status, guessed.body.error]).toEqual([400, 'invalid_grant'])
  expect((await redeem(app, code, { redirect_uri, code_verifier: VERIFIER })).status).toBe(400)
})

test('security 62: a code is for the port that was asked for, and the token request repeats it', async () => {
  const { body } = await register(REGISTRATIONS[0]?.body ?? '')
  const app = { client_id: body.client_id, client_secret: '' }
  const query = filled(REGISTRATIONS[0]?.requests[1]?.query ?? '', app.client_id)
  const code = (await decide(await newPerson(), query)).searchParams.get('code') ?? ''
  const send = (redirect_uri: string) => redeem(app, code, { redirect_uri, code_verifier: VERIFIER })
  for (const other of ['http://127.0.0.1:33418/', 'http://127.0.0.1/', 'http://localhost:51423/'])
    expect((await send(other)).body.error).toBe('invalid_grant')
  expect((await send('http://127.0.0.1:51423/')).status).toBe(200)
})

test.each([
  'http://localhost:33418/',
  'http://127.0.0.1:33418/callback',
  'http://127.0.0.2:33418/',
  'http://127.0.0.1.evil.example:33418/',
  'http://127.0.0.1:33418@evil.example/',
  'https://127.0.0.1:33418/',
  'https://vscode.dev/redirect/',
  'https://vscode.dev:8443/redirect',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://vscode/redirect',
])('security 1: %s is no redirect of an agent that registered others', async (redirect) => {
  const { body } = await register(REGISTRATIONS[0]?.body ?? '')
  const query = filled(REGISTRATIONS[0]?.requests[0]?.query ?? '', body.client_id)
  const asked = query.replace('http%3A%2F%2F127.0.0.1%3A33418%2F', encodeURIComponent(redirect))
  const { status, headers } = await ask(await newPerson(), asked)
  expect({ status, location: headers.get('location') }).toEqual({ status: 400, location: null })
})

test('contract §2: an agent whose every scope is unknown is refused with invalid_scope', async () => {
  const { body } = await register(REGISTRATIONS[0]?.body ?? '')
  const query = filled(REGISTRATIONS[0]?.requests[3]?.query ?? '', body.client_id).replace('+read%3Amemory', '+groups')
  const { headers } = await ask(await newPerson(), query)
  expect(new URL(headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_scope')
})

test('contract §2: an agent that asks for OpenID scopes alone is asked for what it registered, as where it names none', async () => {
  const { body } = await register(REGISTRATIONS[0]?.body ?? '')
  const [person, recorded] = [await newPerson(), filled(REGISTRATIONS[0]?.requests[3]?.query ?? '', body.client_id)]
  const openId = await ask(person, recorded.replace('+read%3Amemory', ''))
  expect(openId.status).toBe(200)
  for (const scope of body.scope.split(' ')) expect(openId.text).toContain(`>${scope}<`)
})

test('the consent page of an agent may send the browser to its application, and to no other one', async () => {
  const { body } = await register(cursor.body)
  const policies = await Promise.all(
    cursor.requests.map(async ({ query }) => {
      const { headers } = await ask(await newPerson(), filled(query, body.client_id))
      return /form-action ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1]
    }),
  )
  expect(policies).toEqual(["'self' cursor:", "'self' https:", "'self' https: http://localhost:8787"])
})
