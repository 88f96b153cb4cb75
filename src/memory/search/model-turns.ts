import { CallerTurns } from '../../core/batching/caller-turns.ts'
import { TenantShares } from '../../core/batching/tenant-shares.ts'
import type { AuthContext } from '../../core/context.ts'
import { mayBlameTexts } from '../embedding/model-call.ts'

/** Calls of one user that an isolate has under way to a remote model. */
export const MAX_MODEL_CALLS_OF_USER = 8
/** Calls of one user that wait for their turn. One more is not made. */
export const MAX_WAITING_MODEL_CALLS = 32
/** A call waits so long for its turn. It then has the deadline of every call. */
export const MODEL_TURN_MS = 1_000
/** A call ends by its deadline of 3 s. One that is older belongs to a dead request. */
const LOST_CALL_MS = 15_000

interface Turns {
  users: CallerTurns
  shares: TenantShares
}

const turns = new WeakMap<object, Turns>()

function turnsAt(model: object): Turns {
  const known = turns.get(model)
  if (known) return known
  const bounds = { running: MAX_MODEL_CALLS_OF_USER, waiting: MAX_WAITING_MODEL_CALLS, lostMs: LOST_CALL_MS }
  const fresh = { users: new CallerTurns(bounds), shares: new TenantShares() }
  turns.set(model, fresh)
  return fresh
}

/**
 * Calls a remote model for a request when it is its user's turn. Throws `busy()` where that user has too many calls under way,
 * or the tenant has had its share of a model that fails.
 */
export async function inModelTurn<T>(
  ctx: AuthContext,
  model: object,
  call: () => Promise<T>,
  busy: () => Error,
): Promise<T> {
  const { users, shares } = turnsAt(model)
  const { tenantId, userId } = ctx.principal
  return users.run(
    userId,
    MODEL_TURN_MS,
    async () => {
      if (shares.isSpent(tenantId, ctx.now())) throw busy()
      try {
        const answer = await call()
        shares.count(tenantId, ctx.now())
        return answer
      } catch (error) {
        if (!mayBlameTexts(error)) shares.fail(ctx.now())
        throw error
      }
    },
    busy,
  )
}
