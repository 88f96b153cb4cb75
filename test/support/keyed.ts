import { isAppError } from '../../src/core/errors.ts'
import type { AuthContext } from '../../src/core/context.ts'
import type { Database } from '../../src/core/database/database.ts'
import { Reply, type Endpoint } from '../../src/core/http/endpoint.ts'
import type { Limiter } from '../../src/core/ports.ts'
import { withIdempotency } from '../../src/pipeline/replay.ts'
import { statusOf } from '../../src/pipeline/respond.ts'
import { ctxOf } from './search.ts'
import { system, type Tenant } from './world.ts'

/** Imports share the pace of batches; these go without a pause. */
const unlimited: Limiter = {
  ...system.limiter,
  acquire: async () => ({
    admitted: true,
    state: { policy: 'memory.batch', limit: 1, windowSeconds: 1, remaining: 1, resetSeconds: 0 },
    acquiredAt: 0,
    retryAt: 0,
  }),
  release: async () => {},
}

/** Runs a verb as the pipeline does under the key `k`, on another database if wanted; the code of an error, or the answer. */
export async function keyed<T>(
  tenant: Tenant,
  { spec }: Endpoint,
  work: (ctx: AuthContext) => Promise<T>,
  { db, fingerprint = 'f' }: { db?: Database; fingerprint?: string } = {},
): Promise<T | string> {
  const idempotency = { key: 'k', path: spec.path, fingerprint, status: statusOf(spec, undefined), done: [] }
  const ctx = ctxOf(tenant, { idempotency, limiter: unlimited, requestId: system.newId('req'), ...(db ? { db } : {}) })
  try {
    const result = await withIdempotency(spec, ctx, () => work(ctx))
    return (result instanceof Reply ? result.body : result) as T
  } catch (error) {
    return isAppError(error) ? error.code : String(error)
  }
}
