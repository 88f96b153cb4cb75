import type { CredentialKind } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import type { ParsedToken, Tokens } from '../../core/ports.ts'
import type { TokenPrefix } from '../../core/values/token-prefix.ts'

/** A credential that this service made, not yet known to be alive: the user's hub decides that. */
export interface PresentedCredential extends ParsedToken {
  kind: CredentialKind
}

const KIND_OF: Partial<Record<TokenPrefix, CredentialKind>> = {
  rck_live: 'key',
  rck_test: 'key',
  rca: 'access',
  rcs: 'session',
}

/** A credential as the client sent it; a null token is one that does not even have a token's form. */
export interface Presented {
  /** The kind that the place demands where it was found; null: any. */
  kind: CredentialKind | null
  token: string | null
}

/**
 * Reads the one credential of a request from its headers (contract §2).
 * Two at once: 400; none, one of another kind's header, or one that we did not make: 401.
 */
export const authenticate = (headers: Headers, tokens: Tokens, issuer: string): Promise<PresentedCredential> =>
  settlePresented(presentedIn(headers), tokens, issuer)

/** What the three headers hold. */
export function presentedIn(headers: Headers): Presented[] {
  const presented: Presented[] = []
  const authorization = headers.get('authorization')
  if (authorization !== null)
    presented.push({ kind: 'access', token: /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? null })
  const apiKey = headers.get('x-api-key')
  if (apiKey !== null) presented.push({ kind: 'key', token: apiKey })
  const session = headers.get('x-session-token')
  if (session !== null) presented.push({ kind: 'session', token: session })
  return presented
}

/** Exactly one credential, made by this service and of the kind that its place demands. */
export async function settlePresented(
  [first, ...others]: Presented[],
  tokens: Tokens,
  issuer: string,
): Promise<PresentedCredential> {
  if (others.length > 0) {
    throw new AppError('conflicting_credentials', {
      detail: 'Send exactly one of Authorization, X-API-Key and X-Session-Token.',
    })
  }
  if (!first) {
    throw new AppError('unauthenticated', {
      detail: 'This endpoint needs a credential: Authorization: Bearer, X-API-Key or X-Session-Token.',
      headers: { 'WWW-Authenticate': `Bearer resource_metadata="${issuer}/.well-known/oauth-protected-resource"` },
    })
  }
  const parsed = first.token === null ? null : await tokens.parse(first.token)
  const kind = parsed ? KIND_OF[parsed.prefix] : undefined
  if (!parsed || !kind || (first.kind !== null && kind !== first.kind)) throw invalidToken(issuer)
  return { ...parsed, kind }
}

/** The one answer for unknown, malformed, revoked and expired credentials (security 23). */
export const invalidToken = (issuer: string): AppError =>
  new AppError('invalid_token', {
    detail: 'The credential is unknown, revoked or expired.',
    headers: {
      'WWW-Authenticate': `Bearer resource_metadata="${issuer}/.well-known/oauth-protected-resource", error="invalid_token"`,
    },
  })
