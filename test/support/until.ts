import { vi } from 'vitest'

/** Far longer than anything takes on a busy machine, and below the time that a test has. */
const DEADLINE_MS = 20_000

interface Patience {
  /** Between two looks. Default 20 ms; longer where a look is a request that a limit counts. */
  everyMs?: number
  withinMs?: number
}

/** Waits until a look no longer throws, and answers what it found. Without a deadline of its own that chance could miss. */
export const until = <T>(look: () => T | Promise<T>, { everyMs = 20, withinMs = DEADLINE_MS }: Patience = {}) =>
  vi.waitFor(look, { interval: everyMs, timeout: withinMs })
