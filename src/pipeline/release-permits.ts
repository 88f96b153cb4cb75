import type { RequestContext } from '../core/context.ts'
import type { EndpointSpec } from '../core/http/endpoint.ts'
import type { Admitted } from './admit.ts'
import { resultOfCode } from './count-request.ts'

/** Releases what the outcome does not count against, where refused calls have a limit of their own (contract §5). */
export async function releasePermits(
  { limit, limitWhenRefused }: EndpointSpec,
  ctx: RequestContext,
  { principal, acquiredAt }: Admitted,
  code: string,
): Promise<void> {
  if (limitWhenRefused === undefined || limit === null) return
  const outcome = resultOfCode(code)
  for (const policy of [...(outcome === 'ok' ? [] : [limit]), ...(outcome === 'refused' ? [] : [limitWhenRefused])]) {
    try {
      await ctx.hub(principal.routingId).release(policy, acquiredAt)
    } catch (error) {
      // The answer itself matters more to the caller than its permit.
      ctx.log.error({ event: 'limit.release_failed', limit: policy }, error)
    }
  }
}
