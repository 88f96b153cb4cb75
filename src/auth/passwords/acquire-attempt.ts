import type { RequestContext } from '../../core/context.ts'
import { rateLimited } from '../../limits/index.ts'

const BACK_OFF = ['login.account', 'login.account.hour'] as const

/**
 * The back-off of an account: each attempt acquires a permit of a short and of a long window, and a successful one
 * releases both. An unknown address backs off alike. It stands before passwords alone, so that it blocks no live session.
 */
export async function acquireAttempt(ctx: RequestContext, subject: string): Promise<{ release(): Promise<void> }> {
  const permits: { policy: string; acquiredAt: number }[] = []
  const release = async () => {
    for (const { policy, acquiredAt } of permits) await ctx.limiter.release(policy, subject, acquiredAt)
  }
  for (const policy of BACK_OFF) {
    const { admitted, state, acquiredAt, retryAt } = await ctx.limiter.acquire(policy, subject)
    if (!admitted) {
      await release()
      throw rateLimited([state], retryAt, ctx.now())
    }
    permits.push({ policy, acquiredAt })
  }
  return { release }
}
