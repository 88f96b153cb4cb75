import { backoffMs, type Backoff } from '../../backoff.ts'
import { RecollectError } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { Io } from '../io.ts'

/** Refusals in a row: a limit that other callers use up gives way within minutes. */
const MAX_REFUSALS = 120
const MAX_FAILURES = 3
const WAITS: Backoff = [1_000, 8_000, 0]

export interface Timed<T> {
  value: T
  /** Milliseconds of the attempt that succeeded. */
  ms: number
}

/**
 * Runs a call that retries nothing by itself, until it succeeds: after a refusal by a limit it waits as long as the service
 * says, after a failure of the service or the connection a few times. No wait counts as time of the call.
 */
export async function patiently<T>(io: Io, call: () => Promise<T>): Promise<Timed<T>> {
  for (let refusals = 0, failures = 0; ;) {
    const began = io.now()
    try {
      const value = await call()
      return { value, ms: io.now() - began }
    } catch (error) {
      if (!(error instanceof Failure) || io.interrupted.aborted) throw error
      if (error.exit === EXIT.limited) refusals += 1
      else if (error.exit === EXIT.unavailable) failures += 1
      else throw error
      if (refusals > MAX_REFUSALS || failures > MAX_FAILURES) throw error
      const seconds = error.cause instanceof RecollectError ? error.cause.retryAfter : null
      await io.sleep(seconds === null ? backoffMs(failures, WAITS) : seconds * 1_000)
      if (io.interrupted.aborted) throw error
    }
  }
}

/** Whether the service refused what a line asks for, so that the other lines can go on. */
export const isOfLine = (error: unknown): error is Failure =>
  error instanceof Failure &&
  (error.exit === EXIT.invalid ||
    error.exit === EXIT.notFound ||
    (error.exit === EXIT.forbidden && error.code !== 'insufficient_scope'))
