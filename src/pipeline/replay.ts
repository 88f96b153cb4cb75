import type { AuthContext } from '../core/context.ts'
import { isAborted } from '../core/database/abort.ts'
import { Reply, type EndpointSpec } from '../core/http/endpoint.ts'
import { freeClaim, settleKey } from '../core/idempotency/settlement.ts'
import { claimKey, inProgress, replayOf, storedKey } from '../core/idempotency/claim.ts'
import type { Idempotency } from '../core/idempotency/replay.ts'
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
    if (idempotent.mode === 'resumed')
      await settleKey(ctx, claim, { status: statusOf(spec, result), resource: idempotent.resource(result as never) })
    return result
  } catch (error) {
    await freeClaim(ctx, claim)
    // The effect was undone, since another request had taken the key over.
    throw isAborted(error) ? inProgress() : error
  }
}

async function earlierOutcome(
  mode: Idempotency['mode'],
  ctx: AuthContext,
): Promise<{ status: number; resource: string } | null> {
  const claim = ctx.idempotency
  if (!claim) return null
  if (mode !== 'committed') return claimKey(ctx, claim)
  const stored = await storedKey(ctx, claim)
  return stored ? replayOf(claim, stored) : null
}
