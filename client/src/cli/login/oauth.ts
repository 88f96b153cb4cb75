import * as oauth from 'oauth4webapi'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { OAuthLogin } from '../config/credentials.ts'
import { SCOPES } from './scopes.ts'

/** Registered without a port: the service lets a public application come back on any (RFC 8252 §7.3). */
const REGISTERED_REDIRECT = 'http://127.0.0.1/callback'
const REQUEST_MS = 30_000

const options = () => ({
  signal: AbortSignal.timeout(REQUEST_MS),
  // `readAddress` lets plain http through for this computer alone.
  [oauth.allowInsecureRequests]: true,
})

/** The authorization server of a deployment (RFC 8414). */
export async function discover(url: string): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(url)
  try {
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options() })
    return await oauth.processDiscoveryResponse(issuer, response)
  } catch (cause) {
    throw new Failure(EXIT.unavailable, `${url} does not respond like a Recollect deployment.`, {
      hint: 'Check the address, and check that the service is running.',
      cause,
    })
  }
}

/** Registers this command line as a public application (RFC 7591). Its id. */
export async function register(server: oauth.AuthorizationServer): Promise<string> {
  if (server.registration_endpoint === undefined) {
    throw new Failure(EXIT.forbidden, 'This deployment does not let applications register themselves.', {
      hint: 'Create an API key in its portal, and pass it to: recollect login --key-stdin',
    })
  }
  const response = await oauth.dynamicClientRegistrationRequest(
    server,
    {
      client_name: 'Recollect command line',
      redirect_uris: [REGISTERED_REDIRECT],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: SCOPES.join(' '),
    },
    options(),
  )
  return (await oauth.processDynamicClientRegistrationResponse(response)).client_id
}

/** One authorization: what goes to the browser, and what stays here. */
export interface Authorization {
  url: string
  state: string
  verifier: string
}

export async function newAuthorization(
  server: oauth.AuthorizationServer,
  clientId: string,
  redirectUri: string,
): Promise<Authorization> {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(server.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: SCOPES.join(' '),
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  return { url: url.href, state, verifier }
}

/** Whether the service still knows the application. It forgets one that nobody used for long (contract §2). */
export async function isKnown({ url }: Authorization): Promise<boolean> {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(REQUEST_MS) })
  await response.body?.cancel()
  return response.status !== 400
}

/** Redeems the code of the address that the browser came back to. */
export async function redeem(
  server: oauth.AuthorizationServer,
  clientId: string,
  { state, verifier, redirectUri, answer, now }: Authorization & { redirectUri: string; answer: URL; now: number },
): Promise<OAuthLogin> {
  const client = { client_id: clientId }
  try {
    const parameters = oauth.validateAuthResponse(server, client, answer, state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      verifier,
      options(),
    )
    return toLogin(await oauth.processAuthorizationCodeResponse(server, client, response), now)
  } catch (cause) {
    if (cause instanceof oauth.AuthorizationResponseError && cause.error === 'access_denied') {
      throw new Failure(EXIT.forbidden, 'Access was denied. Nothing has changed.', { cause })
    }
    throw new Failure(EXIT.unauthenticated, 'The login failed.', { hint: 'Start again: recollect login', cause })
  }
}

/** A new access token and refresh token; null where the login has ended. */
export async function refresh(
  url: string,
  clientId: string,
  login: OAuthLogin,
  now: () => number,
): Promise<OAuthLogin | null> {
  const server = serverAt(url)
  const client = { client_id: clientId }
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), login.refresh_token, options())
  try {
    return toLogin(await oauth.processRefreshTokenResponse(server, client, response), now())
  } catch (error) {
    // The service says so of the token, or of the application that it has forgotten. Anything else may pass.
    if (error instanceof oauth.ResponseBodyError && ['invalid_grant', 'invalid_client'].includes(error.error))
      return null
    throw error
  }
}

/** Ends a login at the service (RFC 7009). */
export async function revoke(url: string, clientId: string, login: OAuthLogin): Promise<void> {
  const client = { client_id: clientId }
  const response = await oauth.revocationRequest(serverAt(url), client, oauth.None(), login.refresh_token, options())
  await oauth.processRevocationResponse(response)
}

/** The paths of contract §2, without a request for the metadata. */
const serverAt = (url: string): oauth.AuthorizationServer => ({
  issuer: url,
  token_endpoint: `${url}/auth/token`,
  revocation_endpoint: `${url}/auth/revoke`,
})

function toLogin(answer: oauth.TokenEndpointResponse, now: number): OAuthLogin {
  if (answer.refresh_token === undefined)
    throw new Failure(EXIT.unavailable, 'The service did not send a refresh token.')
  return {
    access_token: answer.access_token,
    refresh_token: answer.refresh_token,
    expires_at: now + (answer.expires_in ?? 0) * 1_000,
    scope: answer.scope ?? SCOPES.join(' '),
  }
}
