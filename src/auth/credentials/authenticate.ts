import type { CredentialKind } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import type { ParsedToken, Tokens } from '../../core/ports.ts'
import { bearerChallenge } from '../oauth/bearer-challenge.ts'
import type { CalledResource } from '../oauth/resources.ts'
import { KIND_OF, remedyFor, remedyOf, type RawCredential } from './remedy.ts'

/** A credential that this service made. The user's hub decides whether it is still valid. */
export interface PresentedCredential extends ParsedToken {
  kind: CredentialKind
}

/**
 * Reads the one credential of a request from its headers (contract §2). Two credentials are a 400. No credential, one
 * of another kind than its header demands, and one that this service did not make are a 401.
 */
export const authenticate = (headers: Headers, tokens: Tokens, called: CalledResource): Promise<PresentedCredential> =>
  requireOneCredential(credentialsIn(headers, called), tokens, called)

/** The credentials in the three headers that may carry one. On agent paths a key may come as a Bearer token (contract §2). */
export function credentialsIn(headers: Headers, called: CalledResource): RawCredential[] {
  const bearer: CredentialKind[] = called.uri === null ? ['access'] : ['access', 'key']
  const credentials: RawCredential[] = []
  const authorization = headers.get('authorization')
  if (authorization !== null)
    credentials.push({ kinds: bearer, token: /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? null })
  const apiKey = headers.get('x-api-key')
  if (apiKey !== null) credentials.push({ kinds: ['key'], token: apiKey })
  const session = headers.get('x-session-token')
  if (session !== null) credentials.push({ kinds: ['session'], token: session })
  return credentials
}

/** Requires exactly one credential, made by this service and of the kind that its header demands. */
export async function requireOneCredential(
  [first, ...others]: RawCredential[],
  tokens: Tokens,
  called: CalledResource,
): Promise<PresentedCredential> {
  if (others.length > 0) {
    throw new AppError('conflicting_credentials', {
      detail: 'Send exactly one of Authorization, X-API-Key and X-Session-Token.',
    })
  }
  if (!first) {
    throw new AppError('unauthenticated', {
      detail: 'This endpoint needs a credential: Authorization: Bearer, X-API-Key or X-Session-Token.',
      headers: { 'WWW-Authenticate': bearerChallenge(called) },
    })
  }
  const parsed = first.token === null ? null : await tokens.parse(first.token)
  const kind = parsed ? KIND_OF[parsed.prefix] : undefined
  if (!parsed || !kind || first.kinds?.includes(kind) === false) throw refusal(called, remedyFor(first))
  return { ...parsed, kind }
}

/**
 * The 401 of a credential that is not valid here. All of one kind get the same answer, whether unknown, malformed, revoked
 * or expired (security 23).
 */
export const invalidToken = (called: CalledResource, kind: CredentialKind): AppError => refusal(called, remedyOf(kind))

const refusal = (called: CalledResource, detail: string): AppError =>
  new AppError('invalid_token', {
    detail,
    headers: { 'WWW-Authenticate': bearerChallenge(called, 'invalid_token') },
  })
