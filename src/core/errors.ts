import { otherKind } from './values/ids.ts'

/** The closed set of error codes (contract §1) and the HTTP status of each. */
export const ERROR_STATUS = {
  invalid_json: 400,
  conflicting_credentials: 400,
  unauthenticated: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  forbidden: 403,
  session_required: 403,
  user_context_required: 403,
  quota_exceeded: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  custom_id_taken: 409,
  email_taken: 409,
  last_owner: 409,
  idempotency_mismatch: 409,
  idempotency_in_progress: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  upgrade_required: 426,
  rate_limited: 429,
  internal: 500,
  dependency_unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** One fault in the input: where, which rule, in words. `path` is dotted, as in `content.metadata.a`. */
export interface FieldError {
  path: string
  code: string
  message: string
}

interface AppErrorOptions {
  detail?: string
  errors?: FieldError[]
  /** Faults besides those in `errors`. */
  errorsOmitted?: number
  headers?: Record<string, string>
  /** Further members of the problem body (RFC 9457 §3.2), such as a failed batch's `results`. */
  extra?: Record<string, unknown>
  cause?: unknown
}

/** Every failure that a caller may see. `detail` goes on the wire; `cause` goes to the log only. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly detail: string
  readonly errors: FieldError[] | undefined
  readonly errorsOmitted: number
  readonly headers: Record<string, string>
  readonly extra: Record<string, unknown>

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? code, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = ERROR_STATUS[code]
    this.detail = options.detail ?? ''
    this.errors = options.errors
    this.errorsOmitted = options.errorsOmitted ?? 0
    this.headers = options.headers ?? {}
    this.extra = options.extra ?? {}
  }
}

/**
 * The one 404: the same for absent, deleted, foreign and hidden, so that it tells nothing (contract §1). An `id` tells by
 * its form alone that it is of another kind.
 */
export const notFound = (what: string, id?: string): AppError =>
  new AppError('not_found', { detail: `No such ${what}.${id === undefined ? '' : otherKind(what, id)}` })

export const invalid = (path: string, code: string, message: string): AppError =>
  new AppError('validation_failed', { detail: detailOf(path, message), errors: [{ path, code, message }] })

/** A sentence that names the field and its fault. */
export function detailOf(path: string, message: string): string {
  const field = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const named = /[a-z]/.test(field) && message.toLowerCase().includes(field)
  return path === '' || named ? message : `${path}: ${message}`
}

/** Ends a text as a sentence ends. */
export const sentenceOf = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`)

const RETRY_AFTER_SECONDS = 5

/** A dependency that did not answer. `retryAfter` is in seconds (contract §1: every 503 has it). */
export const unavailable = (what: string, cause?: unknown, retryAfter = RETRY_AFTER_SECONDS): AppError =>
  new AppError('dependency_unavailable', {
    detail: `${what} did not answer. Try again shortly.`,
    headers: { 'Retry-After': String(retryAfter) },
    cause,
  })

export const isAppError = (error: unknown): error is AppError => error instanceof AppError
