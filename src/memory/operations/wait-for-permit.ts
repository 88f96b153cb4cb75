import { CallerTurns } from '../../core/batching/caller-turns.ts'
import type { AuthContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { MINUTE_MS } from '../../core/values/durations.ts'

/** A call without a sign of life for this long is lost: a request whose client went away ends without its `finally`. */
export const LOST_AFTER_MS = MINUTE_MS

/**
 * Calls of one user that may wait in one isolate at once: each holds its body in memory. A long one waits between its
 * slices too, a short one only for its first permit (contract §6).
 */
export const MAX_WAITING_CALLS = { long: 4, short: 32 } as const

const turnsFor = (running: number): CallerTurns => new CallerTurns({ running, waiting: 0, lostMs: LOST_AFTER_MS })
const turns = { long: turnsFor(MAX_WAITING_CALLS.long), short: turnsFor(MAX_WAITING_CALLS.short) }

/** The sign of life of each call that waits. */
const aliveOf = new WeakMap<AuthContext, () => void>()

/** Runs work that may wait for permits. Past the bound of its user it throws 429 before anything of it is done. */
export async function asWaiting<T>(
  ctx: AuthContext,
  length: keyof typeof MAX_WAITING_CALLS,
  work: () => Promise<T>,
): Promise<T> {
  // A slice of an import is a batch of the same call.
  if (aliveOf.has(ctx)) return work()
  const refused = (): AppError =>
    new AppError('rate_limited', {
      detail: `${MAX_WAITING_CALLS[length]} ${length} batches or imports of this user are already waiting. Try again when one has finished.`,
      headers: { 'Retry-After': '1' },
    })
  const waiting = (alive: () => void): Promise<T> => {
    aliveOf.set(ctx, alive)
    return work()
  }
  try {
    return await turns[length].run(ctx.principal.userId, 0, waiting, refused)
  } finally {
    aliveOf.delete(ctx)
  }
}

/**
 * Waits for a permit of a limit, under a subject of its own for this work of the user: the work is slowed, not refused.
 * `beforeEach` runs before each attempt. Other work of the isolate has its turn even where no limit refuses.
 */
export async function waitForPermit(
  ctx: AuthContext,
  limit: Parameters<AuthContext['limiter']['acquire']>[0],
  work: string,
  beforeEach: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await beforeEach()
    aliveOf.get(ctx)?.()
    const permit = await ctx.limiter.acquire(limit, `${work} ${ctx.principal.userId}`)
    await scheduler.wait(Math.max(1, permit.admitted ? 0 : permit.retryAt - ctx.now()))
    if (permit.admitted) return
  }
}
