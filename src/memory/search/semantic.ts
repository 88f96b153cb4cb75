import type { AuthContext } from '../../core/context.ts'
import type { VectorHit, VectorQuery } from '../../core/ports.ts'
import { permissionFor } from '../../identity/index.ts'
import type { ItemRecord } from '../item.ts'
import { queryVector } from './query-vector.ts'
import { MAX_SEMANTIC_HITS } from './ranking.ts'
import type { ReadScope } from '../read-scope.ts'
import { FIRST, scan } from '../scan.ts'

/** The vector index may show a vector only after this long (architecture §4); two minutes at worst were measured. */
const INDEX_LAG_MS = 10 * 60_000

export interface SemanticHits {
  /** Id of the query's vector. */
  vectorId: string
  /** Best first. */
  hits: VectorHit[]
  /** The project may have hits beyond these. */
  more: boolean
}

/**
 * The best `wanted` semantic hits of a search. A narrow search, or `wanted` = Infinity, gets every item with its
 * similarity: then hits that SQL drops cannot displace hits that it keeps.
 */
export async function semanticHits(
  ctx: AuthContext,
  scope: ReadScope,
  query: string,
  wanted: number,
): Promise<SemanticHits> {
  const { embedder, config, vectorIndex } = ctx
  const [projectId] = scope.values
  const vector = await queryVector(ctx, query)
  const narrow = wanted === Infinity || scope.narrow
  // Without a vector index the object answers alone, at every size.
  const exactMax = vectorIndex || narrow ? config.exactTierMax : Number.MAX_SAFE_INTEGER
  const limit = narrow ? Math.max(config.exactTierMax, MAX_SEMANTIC_HITS) : wanted
  const ask: VectorQuery = {
    model: embedder.model,
    vector: vector.values,
    limit,
    namespaces:
      scope.namespace === null ? (permissionFor(ctx.principal, projectId)?.namespaces ?? null) : [scope.namespace],
  }
  const object = ctx.projectVectors(projectId)
  const exact = await object.query({ ...ask, exactMax, freshFrom: ctx.now() - INDEX_LAG_MS })
  if (exact.complete) {
    return { vectorId: vector.id, hits: exact.hits, more: exact.hits.length === limit && !narrow }
  }
  const candidates = narrow ? await candidateItems(ctx, scope) : null
  const others =
    candidates && candidates.length <= config.exactTierMax
      ? await object.score(ask, candidates)
      : vectorIndex
        ? await vectorIndex.query(ctx.principal.tenantId, projectId, ask)
        : (await object.query({ ...ask, exactMax: Number.MAX_SAFE_INTEGER, freshFrom: 0 })).hits
  return { vectorId: vector.id, hits: merge(exact.hits, others), more: candidates === null }
}

/** The items of a large project that a narrow search may find: at most one more than the object scores. */
async function candidateItems(ctx: AuthContext, scope: ReadScope): Promise<string[]> {
  const found = await scan<Pick<ItemRecord, 'id'>>(ctx, scope, {
    columns: 'i.id',
    ascending: true,
    after: FIRST,
    wanted: ctx.config.exactTierMax + 1,
    where: 'i.embedded_version is not null',
  })
  return found?.rows.map((row) => row.id) ?? []
}

/** Keeps each version of an item once, with its better similarity; best first. */
function merge(fresh: readonly VectorHit[], others: readonly VectorHit[]): VectorHit[] {
  const byName = new Map<string, VectorHit>()
  for (const hit of [...others, ...fresh]) {
    const name = `${hit.item}:${hit.version}`
    const before = byName.get(name)
    if (!before || before.similarity < hit.similarity) byName.set(name, hit)
  }
  return [...byName.values()].sort((a, b) => b.similarity - a.similarity)
}
