import type { AuthContext } from '../../core/context.ts'
import { sha256 } from '../../core/values/hash.ts'
import { callModel } from '../embedding/model-call.ts'

export interface QueryVector {
  /** The same for the same query of the same tenant and model. */
  id: string
  values: Float32Array
}

/** They take about 4 MB of an isolate at 1,024 dimensions. */
const MAX_CACHED = 1_000

/** The least recently used vector goes first: a map keeps the order of insertion. The tenant is part of each hashed key. */
const cache = new Map<string, Float32Array>()

/** The vector of a query. It costs a model call unless the same tenant asked the same query before. */
export async function queryVector(ctx: AuthContext, query: string): Promise<QueryVector> {
  const { embedder, principal } = ctx
  const key = await sha256(`${principal.tenantId}\n${embedder.model} ${embedder.dimension}\n${query}`)
  const values = cache.get(key) ?? (await callModel(ctx, [query], 'query'))[0]
  if (!values) throw new Error('the model answered no vector')
  cache.delete(key)
  cache.set(key, values)
  const oldest = cache.keys().next().value
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest)
  return { id: `qv_${key.slice(0, 26)}`, values }
}
