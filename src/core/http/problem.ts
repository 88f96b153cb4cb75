import { ERROR_GUIDE } from './error-guide.ts'
import { boundedErrors, cutText } from './error-size.ts'
import { AppError, isAppError } from '../errors.ts'
import type { Log } from '../log.ts'

/** The one place where a failure becomes an answer: RFC 9457 problem+json. A 500 says nothing about its inside. */
export function problem(error: unknown, requestId: string, origin: string, log: Log): Response {
  const known = isAppError(error)
    ? error
    : new AppError('internal', { detail: 'Something went wrong on our side.', cause: error })
  if (known.status >= 500)
    log.error({ event: 'request.failed', request_id: requestId, code: known.code }, known.cause ?? error)
  const body = {
    type: `${origin}/api-reference/errors#${known.code}`,
    title: ERROR_GUIDE[known.code].title,
    status: known.status,
    detail: cutText(known.detail),
    code: known.code,
    request_id: requestId,
    ...(known.errors ? boundedErrors(known.errors, known.errorsOmitted) : {}),
    ...known.extra,
  }
  return new Response(JSON.stringify(body), {
    status: known.status,
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...known.headers },
  })
}
