import type { AuthContext } from '../../core/context.ts'
import { unavailable } from '../../core/errors.ts'
import type { Embedding } from '../../core/vectors.ts'
import { sha256 } from '../../core/values/hash.ts'
import { callModel } from '../embedding/model-call.ts'
import { inModelTurn } from './model-turns.ts'

export interface QueryVector {
  /** The same for the same query of the same tenant and model. */
  id: string
  /** null: the model knows nothing of the query, so no item is like it. */
  embedding: Embedding | null
}

/** They take about 4 MB of an isolate at 1,024 dimensions. */
const MAX_CACHED = 1_000

/** The answer to a user whose queries, or those of the tenant, are too many for the model. */
const busy = (): Error =>
  unavailable(
    'The embedding model',
    new Error('too many queries of one user or tenant are waiting for their embedding'),
    1,
  )

/**
 * Vectors of remote models. The least recently used one goes first: a map keeps the order of insertion. The tenant is part
 * of each hashed key.
 */
const cache = new Map<string, Embedding | null>()

/**
 * The vector of a query. A remote model is called unless the same tenant asked the same query before. Throws 503 where the
 * user or the tenant has too many calls to a remote model.
 */
export async function queryVector(ctx: AuthContext, query: string): Promise<QueryVector> {
  const { embedder, principal } = ctx
  const key = await sha256(`${principal.tenantId}\n${embedder.model} ${embedder.dimension}\n${query}`)
  const embedding = await (embedder.remote ? cached(key, () => embedQuery(ctx, query)) : embedQuery(ctx, query))
  return { id: `qv_${key.slice(0, 26)}`, embedding }
}

async function cached(key: string, embed: () => Promise<Embedding | null>): Promise<Embedding | null> {
  const known = cache.get(key)
  const embedding = known === undefined ? await embed() : known
  cache.delete(key)
  cache.set(key, embedding)
  const oldest = cache.keys().next().value
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest)
  return embedding
}

async function embedQuery(ctx: AuthContext, query: string): Promise<Embedding | null> {
  const call = async (): Promise<Embedding | null> => (await callModel(ctx, [query], 'query'))[0] ?? null
  return ctx.embedder.remote ? inModelTurn(ctx, ctx.embedder, call, busy) : call()
}
