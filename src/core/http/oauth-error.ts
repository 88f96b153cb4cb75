import { AppError, isAppError, type ErrorCode } from '../errors.ts'
import type { Log } from '../log.ts'
import { cutText } from './error-size.ts'

/** Error codes of the OAuth endpoints: RFC 6749 §4.1.2.1 and §5.2, RFC 7591 §3.2.2, RFC 8707 §2, with their status. */
export const OAUTH_ERROR_STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  access_denied: 403,
  temporarily_unavailable: 503,
  server_error: 500,
} as const

export type OAuthErrorCode = keyof typeof OAUTH_ERROR_STATUS

/** A failure in the words of OAuth. `description` is plain ASCII without quotes and backslashes (RFC 6749 §5.2). */
export class OAuthError extends AppError {
  readonly error: OAuthErrorCode

  constructor(error: OAuthErrorCode, description: string, headers: Record<string, string> = {}) {
    super(error === 'invalid_client' ? 'unauthenticated' : 'validation_failed', { detail: description, headers })
    this.name = 'OAuthError'
    this.error = error
  }
}

/** The code that an OAuth endpoint answers for a failure of the pipeline. Every other failure is `invalid_request`. */
const AS_OAUTH: Partial<Record<ErrorCode, OAuthErrorCode>> = {
  forbidden: 'access_denied',
  rate_limited: 'temporarily_unavailable',
  dependency_unavailable: 'temporarily_unavailable',
  internal: 'server_error',
}
/** An OAuth endpoint keeps these statuses, because they say more than the 400 of RFC 6749. */
const KEPT = new Set([405, 413, 429])

/** The answer of an OAuth endpoint to a failure (RFC 6749 §5.2). A 500 says nothing about its inside. */
export function oauthProblem(failure: unknown, requestId: string, log: Log): Response {
  const known = isAppError(failure)
    ? failure
    : new AppError('internal', { detail: 'Something went wrong on our side.' })
  const error = known instanceof OAuthError ? known.error : (AS_OAUTH[known.code] ?? 'invalid_request')
  const status = KEPT.has(known.status) ? known.status : OAUTH_ERROR_STATUS[error]
  if (status >= 500) log.error({ event: 'request.failed', request_id: requestId, code: error }, known.cause ?? failure)
  return new Response(JSON.stringify({ error, error_description: cutText(plain(known.detail)) }), {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
      ...known.headers,
    },
  })
}

/** Only the characters that RFC 6749 §5.2 allows. */
const plain = (detail: string): string => detail.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'")
