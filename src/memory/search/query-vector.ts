import type { AuthContext } from '../../core/context.ts'
import { within } from '../../core/values/deadline.ts'
import { sha256 } from '../../core/values/hash.ts'

export interface QueryVector {
  /** Names this query's vector, the same for the same query of the same tenant and model. */
  id: string
  values: Float32Array
}

/** About 4 MB of an isolate at 1,024 dimensions. */
const MAX_REMEMBERED = 1_000
/** Past it a search answers by words alone. */
const DEADLINE_MS = 3_000

/** The least recently used goes first: a map keeps the order of insertion. Keys are hashes that contain the tenant. */
const remembered = new Map<string, Float32Array>()

/** The vector of a query. An unseen one costs a model call; a tenant's queries are never shared with another's. */
export async function queryVector(ctx: AuthContext, query: string): Promise<QueryVector> {
  const { embedder, principal } = ctx
  const key = await sha256(`${principal.tenantId}\n${embedder.model} ${embedder.dimension}\n${query}`)
  const values = remembered.get(key) ?? (await within(DEADLINE_MS, embedder.embed([query], 'query'), late))[0]
  if (!values) throw new Error('the model answered no vector')
  remembered.delete(key)
  remembered.set(key, values)
  const oldest = remembered.keys().next().value
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
  return { id: `qv_${key.slice(0, 26)}`, values }
}

const late = (): Error => new Error(`no answer within ${DEADLINE_MS} ms`)
