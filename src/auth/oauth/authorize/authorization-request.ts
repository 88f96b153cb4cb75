import type { Scope, RequestContext } from '../../../core/context.ts'
import type { OAuthErrorCode } from '../../../core/http/oauth-error.ts'
import { findClient, type Client } from '../clients/client.ts'
import { areOwnResources } from '../parameters.ts'
import { isChallenge, requiresPkce } from '../pkce.ts'
import { redirectTo } from '../redirect-uri.ts'
import { isSubset, parseScopes } from '../scopes.ts'

/** An authorization request (RFC 6749 §4.1.1) whose every parameter was checked. */
export interface AuthorizationRequest {
  client: Client
  redirectUri: string
  scopes: readonly Scope[]
  state: string | undefined
  challenge: string | null
  resource: string | null
}

/** What follows an authorization request: the consent page, or one of two errors. */
export type AuthorizationStep =
  | { step: 'consent'; request: AuthorizationRequest }
  /** The error goes back to the application (RFC 6749 §4.1.2.1). */
  | { step: 'redirect'; location: string }
  /** The application or its redirect URI is unknown, so that the browser may be sent nowhere. */
  | { step: 'refuse'; detail: string }

type Parameters = Partial<Record<(typeof SINGLE)[number], string>>

/** Parameters that may come once (RFC 6749 §3.1); `resource` may come several times (RFC 8707 §2). Others are ignored. */
const SINGLE = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const

/** Reads an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3): first its application, then the rest. */
export async function readAuthorizationRequest(
  ctx: RequestContext,
  query: URLSearchParams,
): Promise<AuthorizationStep> {
  const twice = SINGLE.filter((name) => query.getAll(name).length > 1)
  if (twice.includes('client_id') || twice.includes('redirect_uri')) {
    return { step: 'refuse', detail: 'The link names its application or its return address twice.' }
  }
  const parameters: Parameters = Object.fromEntries(SINGLE.map((name) => [name, query.get(name) || undefined]))
  const client = parameters.client_id === undefined ? null : await findClient(ctx, parameters.client_id)
  if (!client) return { step: 'refuse', detail: 'The link comes from an application that is not known here.' }
  const redirectUri = client.redirectUris.find((uri) => uri === parameters.redirect_uri)
  if (redirectUri === undefined || !mayRedirect(ctx, redirectUri)) {
    return { step: 'refuse', detail: 'The link leads back to an address that its application has not registered.' }
  }
  const resources = query.getAll('resource').filter((uri) => uri !== '')
  const error = twice.length > 0 ? duplicateError(twice) : findError(ctx, client, parameters, resources)
  if (error) {
    const state = twice.includes('state') ? undefined : parameters.state
    return { step: 'redirect', location: errorRedirect(ctx, redirectUri, state, error) }
  }
  const scopes = parseScopes(parameters.scope) ?? []
  return {
    step: 'consent',
    request: {
      client,
      redirectUri,
      scopes: scopes.length > 0 ? scopes : client.scopes,
      state: parameters.state,
      challenge: parameters.code_challenge ?? null,
      resource: resources[0] ?? null,
    },
  }
}

/** A loopback address may have been registered while the deployment allowed them (contract §2). */
const mayRedirect = (ctx: RequestContext, uri: string): boolean =>
  uri.startsWith('https://') || ctx.config.allowLoopbackRedirects

/** An error response of the authorization endpoint (RFC 6749 §4.1.2.1). */
interface AuthorizationError {
  error: OAuthErrorCode
  description: string
}

const invalidRequest = (description: string): AuthorizationError => ({ error: 'invalid_request', description })

const duplicateError = (names: readonly string[]): AuthorizationError =>
  invalidRequest(`${names.join(', ')} came more than once.`)

function findError(
  ctx: RequestContext,
  client: Client,
  parameters: Parameters,
  resources: readonly string[],
): AuthorizationError | null {
  if (parameters.response_type === undefined) return invalidRequest('response_type is missing.')
  if (parameters.response_type !== 'code')
    return { error: 'unsupported_response_type', description: 'Only response_type=code is supported.' }
  return pkceError(client, parameters) ?? scopeError(client, parameters.scope) ?? resourceError(ctx, resources)
}

function pkceError(client: Client, parameters: Parameters): AuthorizationError | null {
  const { code_challenge: challenge, code_challenge_method: method } = parameters
  if (challenge === undefined && method === undefined) {
    if (requiresPkce(client)) return invalidRequest('This application must use PKCE: code_challenge is missing.')
    // Without PKCE, only the state binds the answer to the browser that asked (RFC 9700 §4.7).
    return parameters.state === undefined ? invalidRequest('Without PKCE, state is required.') : null
  }
  if (method !== 'S256') return invalidRequest('code_challenge_method must be S256.')
  return challenge !== undefined && isChallenge(challenge)
    ? null
    : invalidRequest('code_challenge is not the base64url of a SHA-256 digest.')
}

function scopeError(client: Client, scope: string | undefined): AuthorizationError | null {
  const scopes = parseScopes(scope)
  if (!scopes) return { error: 'invalid_scope', description: 'A scope is not known here.' }
  if (isSubset(scopes, client.scopes)) return null
  return { error: 'invalid_scope', description: 'A scope is not registered for this application.' }
}

const resourceError = (ctx: RequestContext, resources: readonly string[]): AuthorizationError | null =>
  areOwnResources(resources, ctx.client.origin)
    ? null
    : { error: 'invalid_target', description: 'The resource is not one of this service.' }

/** The address of the application with an error in its query, and `iss` as in every answer (RFC 9207). */
export const errorRedirect = (
  ctx: RequestContext,
  redirectUri: string,
  state: string | undefined,
  { error, description }: AuthorizationError,
): string => redirectTo(redirectUri, { error, error_description: description, state, iss: ctx.client.origin })
