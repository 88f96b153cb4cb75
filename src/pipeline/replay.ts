import type { AuthContext } from '../core/context.ts'
import { Reply, type EndpointSpec } from '../core/http/endpoint.ts'
import { claimKey, replayOf, settleKey, storedKey } from '../core/http/idempotency.ts'
import { statusOf } from './respond.ts'

/** Runs the operation once for a key, or answers what it answered before (contract §1). */
export async function withIdempotency(spec: EndpointSpec, ctx: AuthContext, work: () => unknown): Promise<unknown> {
  const { idempotent } = spec
  const claim = ctx.idempotency
  if (!idempotent || !claim) return work()
  const before = await earlierOutcome(idempotent.mode, ctx)
  if (before) {
    const now = await idempotent.replay(ctx, before.resource)
    const { body, headers } = now instanceof Reply ? now : new Reply(before.status, now)
    return new Reply(before.status, body, { ...headers, 'Idempotent-Replayed': 'true' })
  }
  if (idempotent.mode === 'committed') return work()
  try {
    const result = await work()
    const status = statusOf(spec, result)
    const body = result instanceof Reply ? result.body : result
    await settleKey(ctx, claim, { status, resource: idempotent.resource(body as never, ctx) })
    return result
  } catch (error) {
    await settleKey(ctx, claim, null)
    throw error
  }
}

async function earlierOutcome(
  mode: 'committed' | 'claimed',
  ctx: AuthContext,
): Promise<{ status: number; resource: string } | null> {
  const claim = ctx.idempotency
  if (!claim) return null
  if (mode === 'claimed') return claimKey(ctx, claim)
  const stored = await storedKey(ctx, claim)
  return stored ? replayOf(claim, stored) : null
}
