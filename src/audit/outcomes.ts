import { ERROR_STATUS, type ErrorCode } from '../core/errors.ts'
import { OAUTH_ERROR_STATUS, type OAuthErrorCode } from '../core/http/oauth-error.ts'

/** How an audited action ended: well, or with a code of the API or of OAuth. */
export type AuditOutcome = 'success' | ErrorCode | OAuthErrorCode

export const AUDIT_OUTCOMES: readonly [AuditOutcome, ...AuditOutcome[]] = [
  'success',
  ...(Object.keys(ERROR_STATUS) as ErrorCode[]),
  ...(Object.keys(OAUTH_ERROR_STATUS) as OAuthErrorCode[]),
]
