import { CallerTurns } from '../core/batching/caller-turns.ts'
import { TenantShares } from '../core/batching/tenant-shares.ts'
import type { System } from '../core/context.ts'
import { mayBlameTexts } from '../core/embedding.ts'
import type { Principal } from '../core/principal.ts'
import { SECOND_MS } from '../core/values/durations.ts'

/** Calls of one user that an isolate has under way to a remote model. */
export const MAX_MODEL_CALLS_OF_USER = 8
/** Calls of one user that wait for their turn. One more is not made. */
export const MAX_WAITING_MODEL_CALLS = 32
/** A call waits so long for its turn. It then has the deadline of every call. */
export const MODEL_TURN_MS = SECOND_MS
/** A call ends by its deadline of 3 s. One that is older belongs to a dead request. */
const LOST_CALL_MS = 15 * SECOND_MS

/** The turns of users at a remote model, and the shares that tenants have of it while it fails. */
export class ModelTurns {
  readonly #users = new CallerTurns({
    running: MAX_MODEL_CALLS_OF_USER,
    waiting: MAX_WAITING_MODEL_CALLS,
    lostMs: LOST_CALL_MS,
  })
  readonly #shares = new TenantShares()

  /**
   * Calls the model when it is the user's turn. Throws `busy()` where that user has too many calls under way, or the tenant
   * has had its share of a model that fails.
   */
  run<T>(
    { userId, tenantId }: Principal,
    clock: Pick<System, 'now'>,
    call: () => Promise<T>,
    busy: () => Error,
  ): Promise<T> {
    return this.#users.run(
      userId,
      MODEL_TURN_MS,
      async () => {
        if (this.#shares.isSpent(tenantId, clock.now())) throw busy()
        try {
          const answer = await call()
          this.#shares.count(tenantId, clock.now())
          return answer
        } catch (error) {
          if (!mayBlameTexts(error)) this.#shares.fail(clock.now())
          throw error
        }
      },
      busy,
    )
  }
}
