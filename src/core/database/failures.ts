import { AppError, isAppError, unavailable } from '../errors.ts'
import { MINUTE_MS } from '../values/durations.ts'
import { isBehind, isFull, isRefused } from './d1-errors.ts'

/** After this long an operator may have made room in a full database. */
export const FULL_RETRY_AFTER_MS = 5 * MINUTE_MS

/** The answer to a user whose own requests are too many for the database: nothing was done. */
export const busy = (): Error => unavailable('The database', undefined, 1)

/** The answer past the deadline of a call. */
export const late = (): Error => unavailable('The database')

const full = (cause: unknown): AppError =>
  new AppError('dependency_unavailable', {
    detail: 'The service is out of storage space for now. Reads and deletions still work.',
    headers: { 'Retry-After': String(FULL_RETRY_AFTER_MS / 1_000) },
    cause,
  })

/** What a failed call to D1 throws. What D1 refuses is our fault: it stays an error, for the caller that expects it and for the log. */
export function failureOf(error: unknown): unknown {
  if (isAppError(error) || (isRefused(error) && !isBehind(error))) return error
  return isFull(error) ? full(error) : unavailable('The database', error)
}
