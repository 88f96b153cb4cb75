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
    cause: 'The request has more than one credential.',
    remedy: 'Send exactly one of Authorization, X-API-Key and X-Session-Token.',
  },
  unauthenticated: {
    title: 'Not authenticated',
    cause: 'The request has no credential, or the sign-in was refused.',
    remedy: 'Send an API key, an access token or a session token; at sign-in, check the address and the password.',
  },
  invalid_token: {
    title: 'Invalid token',
    cause: 'The credential is unknown, expired or revoked, or was sent in the header for another kind of credential.',
    remedy: 'Refresh the access token, sign in again, or create a new key.',
  },
  insufficient_scope: {
    title: 'Insufficient scope',
    cause: 'The credential lacks the scope that WWW-Authenticate names.',
    remedy: 'Use a credential with that scope. The scopes of a key cannot change: create another key.',
  },
  forbidden: {
    title: 'Forbidden',
    cause: 'The caller can see the resource, but its role or credential does not allow this action.',
    remedy: 'Ask an owner or admin of the workspace for a role that allows it.',
  },
  session_required: {
    title: 'Session required',
    cause: 'Only a signed-in person can do this.',
    remedy: 'Sign in and send the session token in X-Session-Token.',
  },
  user_context_required: {
    title: 'User context required',
    cause: 'The credential belongs to a service account, but this endpoint is about a person.',
    remedy: 'Use an access token, a session token, or a key that acts as its creator.',
  },
  quota_exceeded: {
    title: 'Quota exceeded',
    cause: 'The tenant has reached its maximum number of these.',
    remedy: 'Delete what is no longer needed, or ask the operator for a larger quota.',
  },
  not_found: {
    title: 'Not found',
    cause: 'The resource does not exist, or the caller cannot see it. The response is the same for both.',
    remedy: 'Check the id, the project and the credential.',
  },
  method_not_allowed: {
    title: 'Method not allowed',
    cause: 'The path exists but does not support this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  conflict: {
    title: 'Conflict',
    cause: 'The state of the resource does not allow the change, or another request changed it first.',
    remedy: 'Read the resource again and repeat the change if it still makes sense.',
  },
  custom_id_taken: {
    title: 'custom_id taken',
    cause: 'Another item in the same project and namespace has this custom_id, and the caller cannot write to it.',
    remedy: 'Choose another custom_id.',
  },
  email_taken: {
    title: 'Address taken',
    cause: 'An account with this e-mail address already exists.',
    remedy: 'Sign in, or register with another address.',
  },
  last_owner: {
    title: 'Last owner',
    cause: 'A workspace, or the tenant, would be left without an owner.',
    remedy:
      'For a workspace, make another member an owner first, or delete it. For the tenant, hand it over (POST /v1/tenant/owner).',
  },
  idempotency_mismatch: {
    title: 'Idempotency-Key reused',
    cause: 'The Idempotency-Key was used for a different request within the last 24 hours.',
    remedy: 'Use a new key for each new request; repeat a key only with the same body.',
  },
  idempotency_in_progress: {
    title: 'Still running',
    cause: 'The first request with this Idempotency-Key has not finished.',
    remedy: 'Wait for the time in Retry-After, then repeat the request.',
  },
  precondition_failed: {
    title: 'Precondition failed',
    cause:
      'The resource has changed since the ETag in If-Match was read, or exists although If-None-Match asks for a new one.',
    remedy:
      'Retrieve the resource, apply the change to its current state, and send the new ETag; or choose another custom_id.',
  },
  payload_too_large: {
    title: 'Payload too large',
    cause: 'The body is larger than this endpoint accepts: 1 MiB, or 16 MiB for batch and import.',
    remedy: 'Send less in one request.',
  },
  unsupported_media_type: {
    title: 'Unsupported media type',
    cause: 'The Content-Type is missing, or this endpoint does not accept it.',
    remedy: 'Send a type from the Accept header of the response.',
  },
  validation_failed: {
    title: 'Invalid input',
    cause: 'A field, parameter or header is missing, unknown or out of bounds.',
    remedy: 'Correct the fields that `errors` lists. Each entry has a path, a code and a message.',
  },
  upgrade_required: {
    title: 'Upgrade required',
    cause: 'This path accepts WebSocket connections only.',
    remedy: 'Connect with a WebSocket client.',
  },
  rate_limited: {
    title: 'Too many requests',
    cause: 'The caller sent more requests than a limit in RateLimit-Policy allows.',
    remedy: 'Wait for the time in Retry-After, and spread requests out. A batch counts as one request.',
  },
  internal: {
    title: 'Internal error',
    cause: 'An error in the service. It is logged under the request id.',
    remedy: 'Repeat the request with the same Idempotency-Key. If the error persists, report the request id.',
  },
  dependency_unavailable: {
    title: 'Temporarily unavailable',
    cause: 'A database, a model or an index did not answer in time.',
    remedy: 'Wait for the time in Retry-After, then repeat the request with the same Idempotency-Key.',
  },
}
