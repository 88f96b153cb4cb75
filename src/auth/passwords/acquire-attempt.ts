import type { RequestContext } from '../../core/context.ts'
import { rateLimited, type LimitName, type Permit } from '../../limits/index.ts'

/** The permits of one attempt at a password: a short and a long window of whoever attempts it. */
export const attemptsOf = (subject: string): Permit[] => [
  { name: 'password', subject },
  { name: 'password.hour', subject },
]

/** The longest `Retry-After`. Permits that strangers hold may be released earlier. */
const MAX_RETRY_MS: Partial<Record<LimitName, number>> = { 'login.unknown': 60_000 }

/**
 * Slows guessing: each attempt acquires its permits before the password is hashed, and a successful one releases them.
 * Only password checks need a permit, so live sessions go on. 429 where one is not available.
 */
export async function acquireAttempt(
  ctx: RequestContext,
  permits: readonly Permit[],
): Promise<{ release(): Promise<void> }> {
  const held: { permit: Permit; acquiredAt: number }[] = []
  const release = async () => {
    for (const { permit, acquiredAt } of held) await ctx.limiter.release(permit.name, permit.subject, acquiredAt)
  }
  for (const permit of permits) {
    const { admitted, state, acquiredAt, retryAt } = await ctx.limiter.acquire(permit.name, permit.subject)
    if (!admitted) {
      await release()
      const now = ctx.now()
      throw rateLimited([state], Math.min(retryAt, now + (MAX_RETRY_MS[permit.name] ?? Infinity)), now)
    }
    held.push({ permit, acquiredAt })
  }
  return { release }
}
