import type { RequestContext } from '../../core/context.ts'
import type { LimitName } from '../../core/limits.ts'
import { rateLimited, type Permit } from '../../limits/index.ts'
import { MINUTE_MS } from '../../core/values/durations.ts'

/** The permits of one attempt at a password: a short and a long window of the subject that attempts it. */
export const attemptsOf = (subject: string): Permit[] => [
  { name: 'password', subject },
  { name: 'password.hour', subject },
]

/** The longest `Retry-After` about permits that strangers hold, who may release them earlier. */
const MAX_UNKNOWN_RETRY_MS = MINUTE_MS

/**
 * Slows guessing: each attempt acquires its permits before the password is hashed, and a successful one releases them.
 * Only password checks need a permit, so live sessions go on. 429 where one is not available. Subjects are asked in
 * order: an attempt that its own limits refuse must not take a permit that strangers share with it, not even for a moment.
 */
export async function acquireAttempt(
  ctx: RequestContext,
  permits: readonly Permit[],
): Promise<{ release(): Promise<void> }> {
  const held: { names: LimitName[]; subject: string; acquiredAt: number }[] = []
  const release = async () => {
    for (const { names, subject, acquiredAt } of held) await ctx.limiter.release(names, subject, acquiredAt)
  }
  for (const [subject, own] of Map.groupBy(permits, (permit) => permit.subject)) {
    const names = own.map(({ name }) => name)
    const { admitted, limits, acquiredAt, retryAt } = await ctx.limiter.acquireAll(names, subject)
    if (!admitted) {
      await release()
      const now = ctx.now()
      const maxRetryMs = names.includes('login.unknown') ? MAX_UNKNOWN_RETRY_MS : Infinity
      const exceeded = limits.filter((limit) => limit.exceeded)
      throw rateLimited(exceeded, Math.min(retryAt, now + maxRetryMs), now)
    }
    held.push({ names, subject, acquiredAt })
  }
  return { release }
}
