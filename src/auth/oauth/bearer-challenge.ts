import type { Scope } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import type { CalledResource } from './resources.ts'

/** The `WWW-Authenticate` of a 401, or of a 403 that names the scopes of the operation (RFC 6750 §3, RFC 9728 §5.1). */
export function bearerChallenge(
  called: CalledResource,
  error?: 'invalid_token' | 'insufficient_scope',
  scopes: readonly Scope[] = called.scopes,
): string {
  const parts = [
    `resource_metadata="${called.metadataUrl}"`,
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
  ]
  return `Bearer ${parts.join(', ')}`
}

/** 403 for a credential without any of the scopes. */
export const insufficientScope = (called: CalledResource, scopes: readonly Scope[], detail: string): AppError =>
  new AppError('insufficient_scope', {
    detail,
    headers: { 'WWW-Authenticate': bearerChallenge(called, 'insufficient_scope', scopes) },
  })
