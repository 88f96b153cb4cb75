import type { AuthContext, Principal } from '../../core/context.ts'
import { inSpan } from '../../core/spans.ts'
import type { Embedding, ExactQuery, VectorHit } from '../../core/vectors.ts'
import { permissionFor } from '../../identity/index.ts'
import type { ItemRecord } from '../item.ts'
import { MAX_LOOKED_UP_BYTES } from './cheap-filter.ts'
import { maxNarrowItems, MAX_SEMANTIC_HITS } from './ranking.ts'
import type { ReadScope } from '../filter/read-scope.ts'
import { RecentProjects } from './recent-projects.ts'
import { FIRST, scan } from '../filter/scan.ts'
import type { ScoredHit } from './semantic-sql.ts'

/** The vector index may show a vector only after this long (architecture §4); two minutes at worst were measured. */
const INDEX_LAG_MS = 10 * 60_000

/**
 * Hits to ask for: a few more than are considered, and more where callers may not see all of them. Fewer would not do for a
 * small `limit`, because neighbours and age may lift any of them.
 */
const HITS_WANTED = 104
export const MAX_HITS_WANTED = 150

/** Projects in which a search found too few hits that its caller may see and asked for all. */
const crowded = new RecentProjects()

export const hitsWanted = (projectId: string): number => (crowded.has(projectId) ? MAX_HITS_WANTED : HITS_WANTED)

export const rememberCrowded = (projectId: string): void => crowded.add(projectId)

/**
 * A search that finds fewer hits that the caller may see asks for all, so that hidden hits change no score. Hits past the
 * wanted results count too: the last one scales the scores, and pieces, neighbours and age can lift any of them.
 */
export const hitsNeeded = ({ exact }: SemanticHits, wanted: number): number => (exact ? MAX_SEMANTIC_HITS : wanted)

/** A hit with the values that the statement ranks it by. */
export type RankedHit = VectorHit & ScoredHit

export interface SemanticHits {
  /** Id of the query's vector; null if it has none, because the model does not know any part of the query. */
  vectorId: string | null
  /** Best cosine first. */
  hits: RankedHit[]
  /** The project may have hits beyond these. */
  more: boolean
  /** No other hit of the project is better than these. False where the vector index answered, which holds parts of texts. */
  exact: boolean
  /** The revision of the copy in the isolate that answered; null if the object answered. */
  copyOf: number | null
}

export const NO_HITS: SemanticHits = { vectorId: null, hits: [], more: false, exact: true, copyOf: null }

/** The query of a search, and the least cosine of its hits (null: any). */
export interface SemanticQuery {
  text: string
  floor: number | null
  /** As in `ProjectQuery`. */
  revision?: number | null
}

/**
 * The best `wanted` semantic hits of a search. A narrow search, or `wanted` = Infinity, gets every item with its
 * similarity: then hits that SQL drops cannot displace hits that it keeps.
 */
export async function semanticHits(
  ctx: AuthContext,
  scope: ReadScope,
  { text, floor, revision = null }: SemanticQuery,
  wanted: number,
): Promise<SemanticHits> {
  const { id: vectorId, embedding } = await ctx.embedder.query(text)
  if (!embedding) return NO_HITS
  return {
    vectorId,
    ...(await inSpan('vectors', ctx, {}, () => nearest(ctx, scope, { embedding, floor, revision }, wanted))),
  }
}

async function nearest(
  ctx: AuthContext,
  scope: ReadScope,
  { embedding, floor, revision }: Required<Omit<SemanticQuery, 'text'>> & { embedding: Embedding },
  wanted: number,
): Promise<Omit<SemanticHits, 'vectorId'>> {
  const { embedder, config, vectorIndex } = ctx
  const { projectId } = scope
  const narrow = wanted === Infinity || scope.narrow
  const most = maxNarrowItems(config)
  // Without a vector index the object answers alone, at every size.
  const exactMax = vectorIndex ? config.exactTierMax : Number.MAX_SAFE_INTEGER
  // The best hits by their pieces need not be the best by cosine.
  const fewest = embedding.pieces ? MAX_SEMANTIC_HITS : 1
  const limit = narrow ? Math.max(most, MAX_SEMANTIC_HITS) : Math.max(wanted, fewest)
  const ask: ExactQuery = {
    model: embedder.model,
    vector: embedding.values,
    pieces: embedding.pieces,
    limit,
    namespaces: readableNamespaces(ctx.principal, projectId, scope.namespaces),
    floor,
  }
  const object = ctx.projectVectors(projectId, ctx.db.shard)
  const freshFrom = ctx.now() - INDEX_LAG_MS
  const exact = await object.query({ ...ask, exactMax: narrow ? most : exactMax, freshFrom, revision })
  if (exact.complete) {
    const more = exact.hits.length === limit && !narrow
    return { hits: ranked(exact.hits), more, exact: true, copyOf: exact.copied ? revision : null }
  }
  if (narrow) {
    const candidates = await candidateItems(ctx, scope)
    const whole =
      candidates && candidates.length <= most
        ? { hits: await object.score(ask, candidates), complete: true }
        : await object.query({ ...ask, exactMax, freshFrom })
    if (whole.complete) return { hits: ranked(whole.hits), more: false, exact: true, copyOf: null }
  }
  const indexed = (await vectorIndex?.query(ctx.principal.tenantId, projectId, ask)) ?? []
  const found = merge(exact.hits, indexed)
  // The index holds no pieces, and of fresh vectors alone the object has compared none.
  const hits = embedding.pieces ? await object.score(ask, [...new Set(found.map(({ item }) => item))]) : found
  // Behind a hit below the floor are only others below it.
  const allAbove = floor === null || found.every(({ similarity }) => similarity >= floor)
  return { hits: ranked(hits), more: !narrow && allAbove, exact: narrow, copyOf: null }
}

/** The hits by their cosines, of which the statement takes the best, each with its score. A hit without has its cosine. */
const ranked = (hits: readonly VectorHit[]): RankedHit[] =>
  hits
    .map((hit) => (isRanked(hit) ? hit : { ...hit, semantic: hit.similarity }))
    .sort((a, b) => b.similarity - a.similarity || b.semantic - a.semantic)

const isRanked = (hit: VectorHit): hit is RankedHit => hit.semantic !== null

/** The namespaces to search; null: all. One that the key may not read would crowd hits out that it may. */
function readableNamespaces(
  principal: Principal,
  projectId: string,
  named: readonly string[] | null,
): readonly string[] | null {
  const permitted = permissionFor(principal, projectId)?.namespaces
  return permitted ? (named?.filter((name) => permitted.includes(name)) ?? permitted) : named
}

/**
 * The items of a large project that a narrow search may find: at most one more than the object scores. null: unknown,
 * since its filter would have to parse too much.
 */
async function candidateItems(ctx: AuthContext, scope: ReadScope): Promise<string[] | null> {
  const found = await scan<Pick<ItemRecord, 'id'>>(ctx, scope, {
    columns: 'i.id',
    ascending: true,
    after: FIRST,
    wanted: maxNarrowItems(ctx.config) + 1,
    where: 'i.embedded_version is not null',
    maxBytes: MAX_LOOKED_UP_BYTES,
  })
  return found?.stoppedAt ? null : (found?.rows.map((row) => row.id) ?? [])
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
