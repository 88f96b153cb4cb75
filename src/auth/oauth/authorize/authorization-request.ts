import type { Scope, RequestContext } from '../../../core/context.ts'
import type { OAuthErrorCode } from '../../../core/http/oauth-error.ts'
import { clientAtAuthorize } from '../clients/client-document.ts'
import { isOwned, type Client } from '../clients/client.ts'
import { isChallenge, requiresPkce } from '../pkce.ts'
import { isRegistered, redirectTo } from '../redirect-uri.ts'
import { AGENT_SCOPES, namedResource } from '../resources.ts'
import { grantableScopes, isSubset, parseScopes } from '../scopes.ts'

/** An authorization request (RFC 6749 §4.1.1) whose every parameter was checked. */
export interface AuthorizationRequest {
  client: Client
  redirectUri: string
  scopes: readonly Scope[]
  state: string | undefined
  challenge: string | null
  /** The agent path that the tokens will be bound to (RFC 8707); null: the API. */
  resource: string | null
}

/** What follows an authorization request: the consent page, or one of two errors. */
export type AuthorizationStep =
  | { step: 'consent'; request: AuthorizationRequest }
  /** The error goes back to the application (RFC 6749 §4.1.2.1). */
  | { step: 'redirect'; location: string }
  /** The application or its redirect URI is unknown, so that the browser may be sent nowhere. */
  | { step: 'refuse'; detail: string; advice?: string | undefined }

type Parameters = Partial<Record<(typeof SINGLE)[number], string>>

/** Parameters that may come once (RFC 6749 §3.1); `resource` is repeatable (RFC 8707 §2). Others are ignored. */
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
    return { step: 'refuse', detail: 'The link contains its application or its return address more than once.' }
  }
  const parameters: Parameters = Object.fromEntries(SINGLE.map((name) => [name, query.get(name) || undefined]))
  const found = await clientAtAuthorize(ctx, parameters.client_id ?? '')
  if ('fault' in found) return { step: 'refuse', detail: found.fault, advice: found.advice }
  const { client } = found
  const redirectUri = parameters.redirect_uri
  if (redirectUri === undefined || !mayRedirect(ctx, client, redirectUri)) {
    return { step: 'refuse', detail: 'The link returns to an address that its application has not registered.' }
  }
  const resource = namedResource(query.getAll('resource').filter(Boolean), ctx.client.origin)
  const error = twice.length > 0 ? duplicateError(twice) : findError(client, parameters, resource)
  if (error) {
    const state = twice.includes('state') ? undefined : parameters.state
    return { step: 'redirect', location: errorRedirect(ctx, redirectUri, state, error) }
  }
  return {
    step: 'consent',
    request: {
      client,
      redirectUri,
      scopes: scopesFor(client, parameters.scope, resource ?? null),
      state: parameters.state,
      challenge: parameters.code_challenge ?? null,
      resource: resource ?? null,
    },
  }
}

/**
 * A public application without an owner may be on the user's own computer. Of every other one a loopback address may have
 * been registered while the deployment allowed them (contract §2).
 */
function mayRedirect(ctx: RequestContext, client: Client, uri: string): boolean {
  const native = client.type === 'public' && !isOwned(client)
  if (!isRegistered(uri, client.redirectUris, native)) return false
  return native || uri.startsWith('https://') || ctx.config.allowLoopbackRedirects
}

/** An error response of the authorization endpoint (RFC 6749 §4.1.2.1). */
interface AuthorizationError {
  error: OAuthErrorCode
  description: string
}

const invalidRequest = (description: string): AuthorizationError => ({ error: 'invalid_request', description })

const duplicateError = (names: readonly string[]): AuthorizationError =>
  invalidRequest(`${names.join(', ')} must not be repeated.`)

function findError(
  client: Client,
  parameters: Parameters,
  resource: string | null | undefined,
): AuthorizationError | null {
  if (parameters.response_type === undefined) return invalidRequest('response_type is missing.')
  if (parameters.response_type !== 'code')
    return { error: 'unsupported_response_type', description: 'Only response_type=code is supported.' }
  return pkceError(client, parameters) ?? scopeError(client, parameters.scope) ?? resourceError(resource)
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

/** What the request asks for; without `scope`, all that the application may have, or at an agent path what that needs. */
function scopesFor(client: Client, scope: string | undefined, resource: string | null): readonly Scope[] {
  const named = isOwned(client) ? parseScopes(scope) : grantableScopes(scope, client.scopes)
  if (named && named.length > 0) return named
  const needed = client.scopes.filter((one) => AGENT_SCOPES.includes(one))
  return isOwned(client) || resource === null || needed.length === 0 ? client.scopes : needed
}

function scopeError(client: Client, scope: string | undefined): AuthorizationError | null {
  if (!isOwned(client)) {
    const none = client.scopes.length === 0 || grantableScopes(scope, client.scopes) === null
    return none ? { error: 'invalid_scope', description: 'None of the scopes can be granted.' } : null
  }
  const scopes = parseScopes(scope)
  if (!scopes) return { error: 'invalid_scope', description: 'A scope is unknown.' }
  if (isSubset(scopes, client.scopes)) return null
  return { error: 'invalid_scope', description: 'A scope is not registered for this application.' }
}

const resourceError = (resource: string | null | undefined): AuthorizationError | null =>
  resource === undefined
    ? { error: 'invalid_target', description: 'The resource must be exactly one resource of this service.' }
    : null

/** The address of the application with an error in its query, and `iss` as in every answer (RFC 9207). */
export const errorRedirect = (
  ctx: RequestContext,
  redirectUri: string,
  state: string | undefined,
  { error, description }: AuthorizationError,
): string => redirectTo(redirectUri, { error, error_description: description, state, iss: ctx.client.origin })
