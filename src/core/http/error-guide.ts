import type { ErrorCode } from '../errors.ts'

interface Guide {
  /** `title` of the problem (RFC 9457 §3.1.3). */
  title: string
  cause: string
  remedy: string
}

/** What each code means and what a client does about it: the pages at `/api-reference/errors` and the OpenAPI document. */
export const ERROR_GUIDE: Record<ErrorCode, Guide> = {
  invalid_json: {
    title: 'Not JSON',
    cause: 'The body is not valid JSON in UTF-8.',
    remedy: 'Send one JSON document, and check quotes, commas and the encoding.',
  },
  conflicting_credentials: {
    title: 'Conflicting credentials',
    cause: 'The request carries more than one credential.',
    remedy: 'Send exactly one of Authorization, X-API-Key and X-Session-Token.',
  },
  unauthenticated: {
    title: 'Not authenticated',
    cause: 'The request carries no credential, or the sign-in was refused.',
    remedy: 'Send an API key, an access token or a session token; at sign-in, check the address and the password.',
  },
  invalid_token: {
    title: 'Invalid token',
    cause: 'The credential is unknown, expired or revoked, or it was sent in the header of another kind.',
    remedy: 'Refresh the access token, sign in again, or make a new key.',
  },
  insufficient_scope: {
    title: 'Insufficient scope',
    cause: 'The credential lacks the scope that WWW-Authenticate names.',
    remedy: 'Use a credential with that scope. A key keeps its scopes for life: make another one.',
  },
  forbidden: {
    title: 'Forbidden',
    cause: 'The resource is visible to the caller, but this action is not open to its role or credential.',
    remedy: 'Ask an owner or admin of the workspace for a role that may do it.',
  },
  session_required: {
    title: 'Session required',
    cause: 'Only a person who is signed in may do this.',
    remedy: 'Sign in and send the session token in X-Session-Token.',
  },
  user_context_required: {
    title: 'User context required',
    cause: 'The credential belongs to a service account, and this is about a person.',
    remedy: 'Use an access token, a session token, or a key that acts as its maker.',
  },
  quota_exceeded: {
    title: 'Quota exceeded',
    cause: 'The tenant already has as many of these as it may have.',
    remedy: 'Delete what is no longer needed, or ask the operator for a larger quota.',
  },
  not_found: {
    title: 'Not found',
    cause: 'There is no such resource, or the caller may not see it: the answer is the same.',
    remedy: 'Check the id, the project and the credential.',
  },
  method_not_allowed: {
    title: 'Method not allowed',
    cause: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  conflict: {
    title: 'Conflict',
    cause: 'The state of the resource does not allow the change, or another request changed it first.',
    remedy: 'Read the resource again and repeat the change if it still makes sense.',
  },
  custom_id_taken: {
    title: 'custom_id taken',
    cause: 'Another item, which the caller may not write, has this custom_id in the same project and namespace.',
    remedy: 'Choose another custom_id.',
  },
  email_taken: {
    title: 'Address taken',
    cause: 'An account with this e-mail address exists.',
    remedy: 'Sign in, or register with another address.',
  },
  last_owner: {
    title: 'Last owner',
    cause: 'A workspace, or the tenant, would be left without an owner.',
    remedy:
      'Make another member an owner first, or delete the workspace. Hand the tenant over (POST /v1/tenant/owner).',
  },
  idempotency_mismatch: {
    title: 'Idempotency-Key reused',
    cause: 'The Idempotency-Key was used for another request within 24 hours.',
    remedy: 'Use a new key for each new request; repeat a key only with the same body.',
  },
  idempotency_in_progress: {
    title: 'Still running',
    cause: 'The first request with this Idempotency-Key has not finished.',
    remedy: 'Wait as long as Retry-After says, then repeat the request.',
  },
  precondition_failed: {
    title: 'Precondition failed',
    cause: 'The resource has changed since the ETag in If-Match was read.',
    remedy: 'Retrieve it, apply the change to what it is now, and send the new ETag.',
  },
  payload_too_large: {
    title: 'Payload too large',
    cause: 'The body is larger than this endpoint takes: 1 MiB, or 16 MiB for batch and import.',
    remedy: 'Send less at once.',
  },
  unsupported_media_type: {
    title: 'Unsupported media type',
    cause: 'The Content-Type is missing or not the one that this endpoint reads.',
    remedy: 'Send the type that the Accept header of the answer names.',
  },
  validation_failed: {
    title: 'Invalid input',
    cause: 'A field, parameter or header is missing, unknown or out of bounds.',
    remedy: 'Correct what `errors` names: each has the path, a code and a message.',
  },
  upgrade_required: {
    title: 'Upgrade required',
    cause: 'This path speaks WebSocket only.',
    remedy: 'Connect with a WebSocket client.',
  },
  rate_limited: {
    title: 'Too many requests',
    cause: 'More requests than the limit in RateLimit-Policy within its window.',
    remedy: 'Wait as long as Retry-After says, and spread requests out. Batch operations count once.',
  },
  internal: {
    title: 'Internal error',
    cause: 'A fault of the service. It is logged under the request id.',
    remedy: 'Repeat the request with the same Idempotency-Key. If it persists, report the request id.',
  },
  dependency_unavailable: {
    title: 'Temporarily unavailable',
    cause: 'A database, a model or an index did not answer in time.',
    remedy: 'Wait as long as Retry-After says and repeat the request with the same Idempotency-Key.',
  },
}
