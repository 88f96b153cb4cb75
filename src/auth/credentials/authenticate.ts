import type { CredentialKind } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import type { ParsedToken, Tokens } from '../../core/ports.ts'
import type { TokenPrefix } from '../../core/values/token-prefix.ts'

/** A credential that this service made. The user's hub decides whether it is still valid. */
export interface PresentedCredential extends ParsedToken {
  kind: CredentialKind
}

const KIND_OF: Partial<Record<TokenPrefix, CredentialKind>> = {
  rck_live: 'key',
  rck_test: 'key',
  rca: 'access',
  rcs: 'session',
}

/** A credential as the client sent it, not checked yet. */
export interface RawCredential {
  /** The kind that its header demands; null: any kind. */
  kind: CredentialKind | null
  /** null: the header has not even the form of a token. */
  token: string | null
}

/**
 * Reads the one credential of a request from its headers (contract §2). Two credentials are a 400. No credential, one
 * of another kind than its header demands, and one that this service did not make are a 401.
 */
export const authenticate = (headers: Headers, tokens: Tokens, issuer: string): Promise<PresentedCredential> =>
  requireOneCredential(credentialsIn(headers), tokens, issuer)

/** The credentials in the three headers that may carry one. */
export function credentialsIn(headers: Headers): RawCredential[] {
  const credentials: RawCredential[] = []
  const authorization = headers.get('authorization')
  if (authorization !== null)
    credentials.push({ kind: 'access', token: /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? null })
  const apiKey = headers.get('x-api-key')
  if (apiKey !== null) credentials.push({ kind: 'key', token: apiKey })
  const session = headers.get('x-session-token')
  if (session !== null) credentials.push({ kind: 'session', token: session })
  return credentials
}

/** Requires exactly one credential, made by this service and of the kind that its header demands. */
export async function requireOneCredential(
  [first, ...others]: RawCredential[],
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

/** The same answer for unknown, malformed, revoked and expired credentials (security 23). */
export const invalidToken = (issuer: string): AppError =>
  new AppError('invalid_token', {
    detail: 'The credential is unknown, revoked or expired.',
    headers: {
      'WWW-Authenticate': `Bearer resource_metadata="${issuer}/.well-known/oauth-protected-resource", error="invalid_token"`,
    },
  })
