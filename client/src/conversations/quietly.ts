import { ConnectionError, RecollectError } from '../errors.ts'

/** A model waits for its memory at most this long. */
export const MEMORY_TIMEOUT_MS = 5_000

export const warn = (error: unknown): void => console.warn('Recollect: the model goes on without its memory.', error)

/**
 * Runs the work of a memory beside a model. With `onError` no failure is thrown. Without it, one of the network, of a limit or
 * of the service is told once, and any other, which a program must mend, is thrown.
 */
export function quietly(onError: ((error: unknown) => void) | undefined) {
  let isTold = false
  return async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      if (onError) onError(error)
      else if (!isPassing(error)) throw error
      else if (!isTold) {
        isTold = true
        warn(error)
      }
      return null
    }
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof RecollectError && (error.status === 429 || error.status >= 500))
