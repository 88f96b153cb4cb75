import type { components } from './api.ts'

type DocumentedProblem = components['schemas']['Problem']

/** The body of a failed request (RFC 9457). */
export interface Problem extends Omit<DocumentedProblem, 'code'> {
  /** Of contract §2, of RFC 6749 §5.2, or of the client's own. */
  code: DocumentedProblem['code'] | (string & {})
}

/** Thrown for every response that is not 2xx, and by its subclasses for calls without a response. */
export class RecollectError extends Error {
  readonly problem: Problem
  /** 0 without a response, and for a redirect in a browser. */
  readonly status: number
  /** What to branch on. The client's own: `connection_failed timed_out redirected stream_ended invalid_signature`. */
  readonly code: Problem['code']
  /** For support; null without a response. */
  readonly requestId: string | null
  /** The faults of the input, by path. */
  readonly errors: NonNullable<Problem['errors']>
  /** Seconds, from `Retry-After`; null without one. */
  readonly retryAfter: number | null

  constructor(problem: Problem, retryAfter: number | null = null, cause?: unknown) {
    super(problem.detail || problem.title, cause === undefined ? undefined : { cause })
    this.problem = problem
    this.status = problem.status
    this.code = problem.code
    this.requestId = problem.request_id || null
    this.errors = problem.errors ?? []
    this.retryAfter = retryAfter
  }

  static {
    // A string, because a bundler shortens the names of classes.
    this.prototype.name = 'RecollectError'
  }
}

/** 401 */
export class AuthenticationError extends RecollectError {
  static {
    this.prototype.name = 'AuthenticationError'
  }
}
/** 403 */
export class PermissionError extends RecollectError {
  static {
    this.prototype.name = 'PermissionError'
  }
}
/** 404 */
export class NotFoundError extends RecollectError {
  static {
    this.prototype.name = 'NotFoundError'
  }
}
/** 409, and 412: the item has another version than `ifVersion`. */
export class ConflictError extends RecollectError {
  static {
    this.prototype.name = 'ConflictError'
  }
}
/** 400, 413, 415 and 422: the request cannot be served as it is. */
export class InvalidRequestError extends RecollectError {
  static {
    this.prototype.name = 'InvalidRequestError'
  }
}
/** 429 */
export class RateLimitError extends RecollectError {
  static {
    this.prototype.name = 'RateLimitError'
  }
}
/** 5xx */
export class ServerError extends RecollectError {
  static {
    this.prototype.name = 'ServerError'
  }
}
/** There is no response, or it broke off: `cause` says why. */
export class ConnectionError extends RecollectError {
  static {
    this.prototype.name = 'ConnectionError'
  }
}
/** The call took longer than its `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  static {
    this.prototype.name = 'TimeoutError'
  }
}
/** A webhook that the service did not sign, or that is too old. */
export class WebhookVerificationError extends RecollectError {
  static {
    this.prototype.name = 'WebhookVerificationError'
  }
}

const BY_STATUS: Record<number, typeof RecollectError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
}

/** The error of the family that a problem's status belongs to. */
export function errorOf(problem: Problem, retryAfter: number | null = null): RecollectError {
  const Family = BY_STATUS[problem.status] ?? (problem.status >= 500 ? ServerError : RecollectError)
  return new Family(problem, retryAfter)
}

/** A problem of the client's own. */
export const problemOf = (code: string, detail: string, status = 0): Problem => ({
  type: 'about:blank',
  title: detail,
  status,
  detail,
  code,
  request_id: '',
})

/** The error of a failed response. A body that is no problem is quoted. */
export async function errorOfResponse(response: Response): Promise<RecollectError> {
  const text = await response.text()
  const { status, statusText, headers, url } = response
  const to = headers.get('location') ?? (status ? null : 'another address')
  // A browser tells neither status nor address.
  if (to && status < 400)
    return errorOf(problemOf('redirected', `The service redirects to ${to}. Check the address of the service.`, status))
  // A wrong address is read in what answers there. The query may hold what was searched for.
  const quoted = [...(url ? [url.split('?')[0]] : []), text.slice(0, 200)].join(': ')
  const fallback = { ...problemOf('internal', quoted, status), title: statusText || `Status ${status}` }
  fallback.request_id = headers.get('x-request-id') ?? ''
  return errorOf({ ...fallback, ...parseProblem(text), status }, secondsOf(headers.get('retry-after')))
}

/** `Retry-After` is a number of seconds or a date (RFC 9110 §10.2.3). */
function secondsOf(header: string | null): number | null {
  if (header === null) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - new Date().getTime()) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

function parseProblem(text: string): Partial<Problem> {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || typeof value !== 'object') return {}
    // OAuth endpoints answer as RFC 6749 §5.2 says.
    if ('error' in value && typeof value.error === 'string') {
      const { error, error_description: detail = '' } = value as { error: string; error_description?: string }
      return { code: error, title: error, detail }
    }
    return 'code' in value ? (value as Problem) : {}
  } catch {
    return {}
  }
}
