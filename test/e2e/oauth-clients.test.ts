import { OAuth2Client } from '@badgateway/oauth2-client'
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import Strategy from 'passport-oauth2'
import { AuthorizationCode } from 'simple-oauth2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent, type Application } from './support/agent.ts'
import { startServer, type Server } from './support/server.ts'

/** Nothing listens there: the test passes the address to the client, as the browser would open it. */
const CALLBACK = 'http://127.0.0.1:8976/callback'
const SCOPE = 'read:memory read:projects'

let server: Server
let agent: Agent
beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '1000' } })
  agent = await Agent.signUp(server.url)
})
afterAll(() => server.stop())

/** Both tokens work, and so does the refreshed one. */
async function expectTokens(first: { access: string; refresh: string }, next: { access: string; refresh: string }) {
  expect(first.access).toMatch(/^rca_/)
  expect(next.access).toMatch(/^rca_/)
  expect(next.refresh).toMatch(/^rcr_/)
  expect(next.refresh).not.toBe(first.refresh)
  expect(await agent.statusWith(next.access)).toBe(200)
}

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const methods: [string, 'confidential' | 'public', (app: Application) => oauth.ClientAuth][] = [
    ['client_secret_post', 'confidential', (app) => oauth.ClientSecretPost(app.client_secret)],
    ['client_secret_basic', 'confidential', (app) => oauth.ClientSecretBasic(app.client_secret)],
    ['none', 'public', () => oauth.None()],
  ]

  test.each(methods)('%s: discovery, PKCE, iss, refresh, revocation', async (_, type, authOf) => {
    const app = await agent.makeApp(CALLBACK, { type })
    const issuer = new URL(server.url)
    const discovered = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' })
    const as = await oauth.processDiscoveryResponse(issuer, discovered)
    const client: oauth.Client = { client_id: app.client_id }
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const url = new URL(as.authorization_endpoint ?? '')
    url.search = new URLSearchParams({
      client_id: app.client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: SCOPE,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()
    const params = oauth.validateAuthResponse(as, client, await agent.approve(url), state)
    const first = await oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(as, client, authOf(app), params, CALLBACK, verifier, insecure),
    )
    const next = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, authOf(app), first.refresh_token ?? '', insecure),
    )
    await expectTokens(
      { access: first.access_token, refresh: first.refresh_token ?? '' },
      { access: next.access_token, refresh: next.refresh_token ?? '' },
    )
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, client, authOf(app), next.refresh_token ?? '', insecure),
    )
    expect(await agent.statusWith(next.access_token)).toBe(401)
  })
})

test('openid-client: code with PKCE, refresh, introspection, revocation', async () => {
  const app = await agent.makeApp(CALLBACK)
  const config = await openid.discovery(new URL(server.url), app.client_id, app.client_secret, undefined, {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  })
  const verifier = openid.randomPKCECodeVerifier()
  const state = openid.randomState()
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: SCOPE,
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const back = await agent.approve(url)
  const first = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state })
  const next = await openid.refreshTokenGrant(config, first.refresh_token ?? '')
  await expectTokens(
    { access: first.access_token, refresh: first.refresh_token ?? '' },
    { access: next.access_token, refresh: next.refresh_token ?? '' },
  )
  const told = await openid.tokenIntrospection(config, next.access_token)
  expect(told).toMatchObject({ active: true, client_id: app.client_id, scope: SCOPE })
  await openid.tokenRevocation(config, next.access_token)
  expect(await openid.tokenIntrospection(config, next.access_token)).toEqual({ active: false })
})

test.each(['body', 'header'] as const)('simple-oauth2, credentials in the %s', async (authorizationMethod) => {
  const app = await agent.makeApp(CALLBACK)
  const client = new AuthorizationCode({
    client: { id: app.client_id, secret: app.client_secret },
    auth: {
      tokenHost: server.url,
      tokenPath: '/auth/token',
      authorizePath: '/auth/authorize',
      revokePath: '/auth/revoke',
    },
    options: { authorizationMethod },
  })
  const url = client.authorizeURL({ redirect_uri: CALLBACK, scope: SCOPE, state: 'state-1' })
  const code = (await agent.approve(url)).searchParams.get('code') ?? ''
  const first = await client.getToken({ code, redirect_uri: CALLBACK })
  expect(first.token).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
  const next = await first.refresh()
  await expectTokens(
    { access: first.token.access_token, refresh: first.token.refresh_token },
    { access: next.token.access_token, refresh: next.token.refresh_token },
  )
  await next.revokeAll()
  expect(await agent.statusWith(next.token.access_token)).toBe(401)
})

test.each([true, false])('passport-oauth2, PKCE %s', async (pkce) => {
  const app = await agent.makeApp(CALLBACK)
  const strategy = new Strategy(
    {
      authorizationURL: `${server.url}/auth/authorize`,
      tokenURL: `${server.url}/auth/token`,
      clientID: app.client_id,
      clientSecret: app.client_secret,
      callbackURL: CALLBACK,
      scope: ['read:memory', 'read:projects'],
      state: true,
      pkce,
    },
    (accessToken, refreshToken, _profile, done) => done(null, { accessToken, refreshToken }),
  )
  // The strategy expects an Express request; these are the parts that it uses.
  const session = {}
  const requestWith = (query: object) => ({ query, session, headers: {}, connection: {}, app: {} })
  const url = await new Promise<string>((resolve, reject) => {
    Object.assign(strategy, { redirect: resolve, error: reject, fail: reject })
    strategy.authenticate(requestWith({}), {})
  })
  const back = await agent.approve(url)
  const tokens = await new Promise<{ accessToken: string; refreshToken: string }>((resolve, reject) => {
    Object.assign(strategy, { success: resolve, error: reject, fail: reject })
    strategy.authenticate(requestWith(Object.fromEntries(back.searchParams)), {})
  })
  expect(tokens.refreshToken).toMatch(/^rcr_/)
  expect(await agent.statusWith(tokens.accessToken)).toBe(200)
})

test('@badgateway/oauth2-client: discovery, PKCE, refresh', async () => {
  const app = await agent.makeApp(CALLBACK)
  const client = new OAuth2Client({
    server: server.url,
    clientId: app.client_id,
    clientSecret: app.client_secret,
    discoveryEndpoint: '/.well-known/oauth-authorization-server',
  })
  const codeVerifier = 'verifier-of-43-characters-or-more-0123456789'
  const url = await client.authorizationCode.getAuthorizeUri({
    redirectUri: CALLBACK,
    state: 'state-1',
    codeVerifier,
    scope: ['read:memory', 'read:projects'],
  })
  const first = await client.authorizationCode.getTokenFromCodeRedirect(await agent.approve(url), {
    redirectUri: CALLBACK,
    state: 'state-1',
    codeVerifier,
  })
  const next = await client.refreshToken(first)
  expect(first.expiresAt).toBeGreaterThan(0)
  await expectTokens(
    { access: first.accessToken, refresh: first.refreshToken ?? '' },
    { access: next.accessToken, refresh: next.refreshToken ?? '' },
  )
})

test('the MCP TypeScript SDK: resource metadata, dynamic registration, PKCE, resource, refresh', async () => {
  const store: { info?: object; tokens?: object; verifier?: string; sentTo?: URL } = {}
  const provider = {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: 'MCP client', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
    state: () => 'state-1',
    clientInformation: () => store.info,
    saveClientInformation: (info: object) => void (store.info = info),
    tokens: () => store.tokens,
    saveTokens: (tokens: object) => void (store.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (store.sentTo = url),
    saveCodeVerifier: (verifier: string) => void (store.verifier = verifier),
    codeVerifier: () => store.verifier ?? '',
  } as OAuthClientProvider
  // The API as a whole: an agent path has metadata of its own (test/e2e/agents.test.ts).
  const serverUrl = `${server.url}/api`
  expect(await auth(provider, { serverUrl, scope: SCOPE })).toBe('REDIRECT')
  expect(store.sentTo?.searchParams.get('resource')).toBe(server.url)
  const back = await agent.approve(store.sentTo ?? '')
  const authorizationCode = back.searchParams.get('code') ?? ''
  expect(await auth(provider, { serverUrl, authorizationCode })).toBe('AUTHORIZED')
  const first = store.tokens as { access_token: string; refresh_token: string }
  expect(await auth(provider, { serverUrl })).toBe('AUTHORIZED')
  const next = store.tokens as { access_token: string; refresh_token: string }
  await expectTokens(
    { access: first.access_token, refresh: first.refresh_token },
    { access: next.access_token, refresh: next.refresh_token },
  )
})
