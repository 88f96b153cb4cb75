import type { EndpointSpec } from '../../core/http/endpoint.ts'
import { ERROR_GUIDE } from '../../core/http/error-guide.ts'
import { ERROR_STATUS, type ErrorCode } from '../../core/errors.ts'
import { OAUTH_ERROR_STATUS, type OAuthErrorCode } from '../../core/http/oauth-error.ts'

/** Every error code that an endpoint may answer: its own, and those that its declaration implies. */
export function errorCodesOf(spec: EndpointSpec): ErrorCode[] {
  const codes: ErrorCode[] = ['internal', ...(spec.errors ?? [])]
  if (spec.auth !== 'none' && spec.auth !== 'client') {
    codes.push('conflicting_credentials', 'unauthenticated', 'invalid_token', 'dependency_unavailable')
    if (spec.scope !== null || spec.scopeFor) codes.push('insufficient_scope')
  }
  // The paths are absent where the deployment has no key.
  if (spec.auth === 'operator') codes.push('not_found')
  if (spec.auth === 'session') codes.push('session_required')
  if (spec.limit !== null) codes.push('rate_limited')
  if (spec.body) codes.push('payload_too_large', 'unsupported_media_type')
  if (spec.body && (spec.bodyType ?? 'json') === 'json') codes.push('invalid_json')
  // Every endpoint except the pages refuses unknown query parameters.
  if (!spec.ignoresQuery) codes.push('validation_failed')
  if (spec.params) codes.push('not_found')
  if (spec.idempotent) codes.push('idempotency_mismatch', 'idempotency_in_progress')
  if (spec.upgrade) codes.push('upgrade_required')
  return [...new Set(codes)].sort((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b] || a.localeCompare(b))
}

/** The error codes on the wire: of RFC 6749 for OAuth endpoints, else the service's own. */
export const wireCodesOf = (spec: EndpointSpec): string[] =>
  spec.errorStyle === 'oauth' ? [...new Set(oauthErrorsOf(spec).map(({ code }) => code))] : errorCodesOf(spec)

function oauthErrorsOf(spec: EndpointSpec): { status: number; code: OAuthErrorCode }[] {
  return [
    ...(spec.oauthErrors ?? []).map((code) => ({ status: OAUTH_ERROR_STATUS[code], code })),
    ...(spec.body ? [{ status: 413, code: 'invalid_request' } as const] : []),
    { status: 429, code: 'temporarily_unavailable' },
    { status: 500, code: 'server_error' },
    { status: 503, code: 'temporarily_unavailable' },
  ]
}

/** The codes of an endpoint by their HTTP status, each with its title. */
export function errorsByStatus(spec: EndpointSpec): Map<number, string> {
  if (spec.errorStyle === 'oauth') {
    const byStatus = Map.groupBy(oauthErrorsOf(spec), ({ status }) => status)
    return new Map(
      [...byStatus].map(([status, errors]) => [status, errors.map(({ code }) => `\`${code}\``).join('; ')]),
    )
  }
  const statuses = new Map<number, string>()
  for (const code of errorCodesOf(spec)) {
    const line = `\`${code}\`: ${ERROR_GUIDE[code].title}`
    const status = ERROR_STATUS[code]
    statuses.set(status, statuses.has(status) ? `${statuses.get(status)}; ${line}` : line)
  }
  return statuses
}
