import type { AuthContext, Principal } from '../../core/context.ts'
import { AppError, isAppError, unavailable } from '../../core/errors.ts'
import type { NearestHits } from '../../core/nearest.ts'
import { permissionFor } from '../../identity/index.ts'
import type { ReadScope } from '../filter/read-scope.ts'
import { FIRST, scan } from '../filter/scan.ts'
import type { ItemRecord } from '../item.ts'
import { MAX_LOOKED_UP_BYTES } from './cheap-filter.ts'
import { maxNarrowItems, MAX_SEMANTIC_HITS } from './ranking.ts'
import type { Question } from './search-schema.ts'
import { reachOf } from './statement.ts'
import { floorOf, type Weights } from './weights.ts'

/** What a search finds by meaning. */
export interface SemanticHits extends NearestHits {
  /** Id of the query's vector; null: it has none, or none was asked for. */
  vectorId: string | null
  /** The model or the vectors do not answer, so the search is by keyword only. */
  degraded: boolean
}

const DEGRADED: SemanticHits = { hits: [], vectorId: null, degraded: true, again: async () => null }

/** A question that is asked by keyword only has no hits, and neither model nor vectors are asked. */
export async function semanticHits(
  ctx: AuthContext,
  scope: ReadScope,
  { query, similarity_threshold: threshold, wanted }: Question,
  weights: Weights,
): Promise<SemanticHits> {
  const isAsked = weights.semantic > 0 || threshold !== undefined
  const { id, embedding } = isAsked ? await ctx.embedder.query(query) : { id: null, embedding: null }
  const nearest = await ctx.vectors.nearest({
    tenantId: ctx.principal.tenantId,
    projectId: scope.projectId,
    shard: ctx.db.shard,
    model: ctx.embedder.model,
    embedding,
    namespaces: readableNamespaces(ctx.principal, scope),
    caller: ctx.principal.userId,
    reach: reachOf(ctx, scope),
    floor: threshold ?? (isAsked ? floorOf(ctx.embedder, query) : null),
    wanted,
    considered: MAX_SEMANTIC_HITS,
    most: maxNarrowItems(ctx.config),
    narrow: scope.narrow,
    candidates: () => candidateItems(ctx, scope),
    cause: ctx,
  })
  return { ...nearest, vectorId: embedding && id, degraded: false }
}

/** Goes on by keyword only where `work` fails: the model or the vectors do not answer. Throws 503 in `semantic` mode. */
export async function orDegraded<T>(
  ctx: AuthContext,
  { mode }: Question,
  work: () => Promise<T>,
): Promise<T | SemanticHits> {
  try {
    return await work()
  } catch (error) {
    if (mode === 'semantic') throw isAppError(error) ? error : unavailable('Semantic search', error, secondsDown(ctx))
    const cause = error instanceof AppError ? error.cause : error
    ctx.log.error({ event: 'search.degraded', request_id: ctx.requestId }, cause)
    return DEGRADED
  }
}

function secondsDown({ embedder }: AuthContext): number | undefined {
  const down = embedder.down()
  return down ? Math.ceil(down.retryAfterMs / 1_000) : undefined
}

/** The namespaces to search; null: all. One that the key may not read would crowd hits out that it may. */
function readableNamespaces(principal: Principal, { projectId, namespaces }: ReadScope): readonly string[] | null {
  const permitted = permissionFor(principal, projectId)?.namespaces
  return permitted ? (namespaces?.filter((name) => permitted.includes(name)) ?? permitted) : namespaces
}

/**
 * The items of a large project that a narrow search may find: at most one more than the object scores. null: unknown,
 * since its filter would have to parse too much.
 */
async function candidateItems(ctx: AuthContext, scope: ReadScope): Promise<string[] | null> {
  const found = await scan<Pick<ItemRecord, 'id'>>({ ...ctx, db: ctx.db.heavy }, scope, {
    columns: 'i.id',
    ascending: true,
    after: FIRST,
    wanted: maxNarrowItems(ctx.config) + 1,
    where: 'i.embedded_version is not null',
    maxBytes: MAX_LOOKED_UP_BYTES,
  })
  return found?.stoppedAt ? null : (found?.rows.map((row) => row.id) ?? [])
}
