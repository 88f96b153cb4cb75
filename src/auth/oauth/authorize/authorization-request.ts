import type { Scope, RequestContext } from '../../../core/context.ts'
import type { OAuthErrorCode } from '../../../core/http/oauth-error.ts'
import { findClient, type Client } from '../clients/client.ts'
import { isOurs } from '../parameters.ts'
import { isChallenge } from '../pkce.ts'
import { redirectTo } from '../redirect-uri.ts'
import { isWithin, parseScopes } from '../scopes.ts'

/** What an application asks a user for; every part of it was checked. */
export interface AuthorizeRequest {
  client: Client
  redirectUri: string
  scopes: readonly Scope[]
  state: string | undefined
  challenge: string | null
  resource: string | null
}

export type Reading =
  | { outcome: 'ask'; request: AuthorizeRequest }
  /** Back to the application, with what is wrong (RFC 6749 §4.1.2.1). */
  | { outcome: 'redirect'; location: string }
  /** Nobody may be sent anywhere: the application or its redirect URI is not known. */
  | { outcome: 'refused'; detail: string }

type Parameters = Partial<Record<(typeof SINGLE)[number], string>>

/** Each at most once (RFC 6749 §3.1); anything else is ignored. `resource` may come several times (RFC 8707 §2). */
const SINGLE = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const

/** Reads an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 9207): first who asks, then what for. */
export async function readAuthorizeRequest(ctx: RequestContext, query: URLSearchParams): Promise<Reading> {
  const twice = SINGLE.filter((name) => query.getAll(name).length > 1)
  if (twice.includes('client_id') || twice.includes('redirect_uri')) {
    return { outcome: 'refused', detail: 'The link names its application or its return address twice.' }
  }
  const given: Parameters = Object.fromEntries(SINGLE.map((name) => [name, query.get(name) || undefined]))
  const client = given.client_id === undefined ? null : await findClient(ctx, given.client_id)
  if (!client) return { outcome: 'refused', detail: 'The link comes from an application that is not known here.' }
  const redirectUri = client.redirectUris.find((uri) => uri === given.redirect_uri)
  if (redirectUri === undefined || !mayRedirect(ctx, redirectUri)) {
    return { outcome: 'refused', detail: 'The link leads back to an address that its application has not registered.' }
  }
  const resources = query.getAll('resource').filter((uri) => uri !== '')
  const fault = twice.length > 0 ? duplicate(twice) : faultOf(ctx, client, given, resources)
  if (fault) {
    const state = twice.includes('state') ? undefined : given.state
    return { outcome: 'redirect', location: refusal(ctx, redirectUri, state, ...fault) }
  }
  const asked = parseScopes(given.scope) ?? []
  return {
    outcome: 'ask',
    request: {
      client,
      redirectUri,
      scopes: asked.length > 0 ? asked : client.scopes,
      state: given.state,
      challenge: given.code_challenge ?? null,
      resource: resources[0] ?? null,
    },
  }
}

/** Loopback addresses may be registered from a time or place where they were allowed (contract §2). */
const mayRedirect = (ctx: RequestContext, uri: string): boolean =>
  uri.startsWith('https://') || ctx.config.allowLoopbackRedirects

type Fault = [error: OAuthErrorCode, description: string]

const duplicate = (names: readonly string[]): Fault => ['invalid_request', `${names.join(', ')} came more than once.`]

function faultOf(ctx: RequestContext, client: Client, given: Parameters, resources: readonly string[]): Fault | null {
  if (given.response_type === undefined) return ['invalid_request', 'response_type is missing.']
  if (given.response_type !== 'code') return ['unsupported_response_type', 'Only response_type=code is supported.']
  return faultOfPkce(client, given) ?? faultOfScope(client, given.scope) ?? faultOfResource(ctx, resources)
}

function faultOfPkce(client: Client, given: Parameters): Fault | null {
  const { code_challenge: challenge, code_challenge_method: method } = given
  if (challenge === undefined && method === undefined) {
    if (client.type === 'public' || client.requirePkce)
      return ['invalid_request', 'This application must use PKCE: code_challenge is missing.']
    // Without PKCE the state is all that ties the answer to the browser that asked (RFC 9700 §4.7).
    return given.state === undefined ? ['invalid_request', 'Without PKCE, state is required.'] : null
  }
  if (method !== 'S256') return ['invalid_request', 'code_challenge_method must be S256.']
  return challenge !== undefined && isChallenge(challenge)
    ? null
    : ['invalid_request', 'code_challenge is not the base64url of a SHA-256 digest.']
}

function faultOfScope(client: Client, scope: string | undefined): Fault | null {
  const asked = parseScopes(scope)
  if (!asked) return ['invalid_scope', 'A scope is not known here.']
  return isWithin(asked, client.scopes) ? null : ['invalid_scope', 'A scope is not registered for this application.']
}

const faultOfResource = (ctx: RequestContext, resources: readonly string[]): Fault | null =>
  isOurs(resources, ctx.client.origin) ? null : ['invalid_target', 'The resource is not one of this service.']

/** Where an application learns that there is no code, with `iss` as in every answer (RFC 9207). */
export const refusal = (
  ctx: RequestContext,
  redirectUri: string,
  state: string | undefined,
  error: OAuthErrorCode,
  description: string,
): string => redirectTo(redirectUri, { error, error_description: description, state, iss: ctx.client.origin })
