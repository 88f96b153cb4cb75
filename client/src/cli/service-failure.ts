import { ConnectionError, RecollectError } from '../index.ts'
import { EXIT, exitOfStatus } from './exit-codes.ts'
import { Failure } from './failure.ts'

const HINTS: Record<string, string> = {
  unauthenticated: 'Log in again: recollect login',
  invalid_token: 'Log in again: recollect login',
  insufficient_scope: 'Use a key that has this scope.',
  rate_limited: 'Wait a moment.',
  redirected: 'Use that address with --url, and log in there.',
}

/** The message of a failed call for a person. Every other error stays as it is. */
export function toFailure(error: unknown, url: string): unknown {
  if (!(error instanceof RecollectError)) return error
  if (error instanceof ConnectionError) {
    const text = error.code === 'timed_out' ? `${url} did not respond in time.` : `${url} cannot be reached.`
    return new Failure(EXIT.unavailable, text, { code: error.code, cause: error })
  }
  // The detail names the first fault by itself.
  const faults = error.errors
    .filter(({ message }) => !error.message.includes(message))
    .map(({ path, message }) => `\n  ${path === '' ? 'the request' : path}: ${message}`)
  const hint = HINTS[error.code]
  const exit = error.code === 'redirected' ? EXIT.usage : exitOfStatus(error.status)
  return new Failure(exit, error.message + faults.join(''), {
    code: error.code,
    cause: error,
    ...(hint === undefined ? {} : { hint }),
    ...(error.requestId === null ? {} : { requestId: error.requestId }),
  })
}
