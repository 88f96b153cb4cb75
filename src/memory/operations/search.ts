import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { text } from '../../core/http/fields.ts'
import { Filters } from '../filter.ts'
import { furtherPermits } from '../filter-permits.ts'
import type { VectorHit } from '../../core/ports.ts'
import { accessValues, targetProject } from '../access.ts'
import { chunks } from '../embedding/chunk.ts'
import { MemoryItemSchema, ReadContext, toMemoryItem } from '../item.ts'
import { SEMANTIC_UNAVAILABLE, semanticHitsOrDegraded } from '../search/degraded.ts'
import type { SemanticHits } from '../search/semantic.ts'
import { hitsWanted } from '../search/ranking.ts'
import { readScope, type ReadScope } from '../read-scope.ts'
import { withCheapFilter } from '../search/cheap-filter.ts'
import { hitsJson, searchSql, type SearchRow } from '../search/search-sql.ts'
import { snippet } from '../search/snippet.ts'
import { queryTerms } from '../keyword/tokenize.ts'

export const MODES = ['hybrid', 'semantic', 'keyword'] as const
export type SearchMode = (typeof MODES)[number]

export const SearchInput = z
  .strictObject({
    query: text(1, 4_096),
    context: ReadContext.optional(),
    filters: Filters.optional(),
    limit: z.int().min(1).max(100).default(10),
    similarity_threshold: z.number().min(0).max(1).optional(),
    mode: z.enum(MODES).default('hybrid'),
    include: z
      .array(z.enum(['score_breakdown']))
      .max(1)
      .default([]),
  })
  .refine((input) => input.mode !== 'keyword' || input.similarity_threshold === undefined, {
    path: ['similarity_threshold'],
    message: 'A keyword search has no similarities.',
    params: { code: 'invalid_combination' },
  })
  .openapi('MemorySearch')

const ScoreBreakdown = z.object({
  keyword: z
    .object({ rank: z.int(), score: z.number() })
    .nullable()
    .meta({ description: 'Rank among the keyword matches, and BM25 relative to the best of them.' }),
  semantic: z
    .object({ rank: z.int(), similarity: z.number() })
    .nullable()
    .meta({ description: 'Rank among the semantic matches.' }),
  weights: z.object({ keyword: z.number(), semantic: z.number() }),
})

export const SearchReply = z
  .object({
    results: z.array(
      MemoryItemSchema.extend({
        similarity: z.number().nullable().meta({ description: 'Cosine similarity; null for a keyword match only.' }),
        score: z.number().meta({ description: 'The fused rank: Σ weight / (60 + rank).' }),
        score_breakdown: ScoreBreakdown.optional(),
        snippet: z.string(),
      }),
    ),
    total: z.int().meta({ description: 'Matches among the candidates considered.' }),
    mode: z.enum(MODES),
    pending: z.int().meta({ description: 'Items in scope that still await their embedding, counted up to 1,000.' }),
    took_ms: z.int(),
    query_vector_id: z.string().nullable(),
    degraded: z.literal(SEMANTIC_UNAVAILABLE).optional(),
  })
  .openapi('MemorySearchReply')
export type SearchReply = z.infer<typeof SearchReply>

const NO_HITS: SemanticHits = { vectorId: '', hits: [], more: false }

/**
 * Searches one project with one call to its vectors and one D1 statement. It asks a second time where the caller may
 * not read so many of the best hits that too few are left.
 * 404 for a project that the caller may not see; 503 in `semantic` mode while model or vectors do not answer.
 */
export async function search(ctx: AuthContext, input: z.output<typeof SearchInput>): Promise<SearchReply> {
  const startedAt = ctx.now()
  const target = targetProject(ctx, input.context?.project_id)
  ctx.trail.projectId = target.projectId
  const scope = await withCheapFilter(
    ctx,
    readScope(ctx.principal, target.projectId, input.context ?? {}, input.filters),
  )
  if (!scope) throw target.missing()
  const terms = queryTerms(input.query)
  let semantic =
    input.mode === 'keyword'
      ? NO_HITS
      : await semanticHitsOrDegraded(ctx, scope, input, hitsWanted(input.limit, input.mode === 'hybrid'))
  let rows = await match(ctx, scope, input, terms, semantic ?? NO_HITS)
  if (semantic?.more && rows[0] && rows[0].semantic_matches < input.limit) {
    semantic = await semanticHitsOrDegraded(ctx, scope, input, Infinity)
    rows = await match(ctx, scope, input, terms, semantic ?? NO_HITS)
  }
  const [first] = rows
  if (!first) throw target.missing()
  const found = rows.filter((row) => row.score !== null)
  ctx.trail.resourceIds = found.map((row) => row.id)
  return {
    results: found.map((row) => toResult(ctx, input, terms, row, semantic?.hits[row.hit ?? -1])),
    total: first.total,
    mode: input.mode,
    pending: first.pending,
    took_ms: Math.max(0, ctx.now() - startedAt),
    query_vector_id: semantic?.vectorId || null,
    ...(semantic ? {} : { degraded: SEMANTIC_UNAVAILABLE }),
  }
}

const match = (
  ctx: AuthContext,
  scope: ReadScope,
  input: z.output<typeof SearchInput>,
  terms: readonly string[],
  { hits }: SemanticHits,
): Promise<SearchRow[]> => {
  const threshold = input.similarity_threshold
  return ctx.db.all<SearchRow>(
    searchSql(scope.sql, { keyword: input.mode !== 'semantic', semantic: input.mode !== 'keyword' }),
    ...accessValues(ctx),
    ...scope.values,
    JSON.stringify(input.mode === 'semantic' ? [] : terms),
    hitsJson(hits),
    weightOf(ctx, input.mode),
    threshold === undefined ? null : hits.filter(({ similarity }) => similarity >= threshold).length,
    input.limit,
  )
}

const weightOf = (ctx: AuthContext, mode: SearchMode): number => (mode === 'semantic' ? 1 : ctx.embedder.fusionWeight)

function toResult(
  ctx: AuthContext,
  input: z.output<typeof SearchInput>,
  terms: readonly string[],
  row: SearchRow,
  hit: VectorHit | undefined,
): SearchReply['results'][number] {
  const breakdown = {
    keyword:
      row.keyword_rank === null ? null : { rank: row.keyword_rank, score: (row.bm25 ?? 0) / (row.best_bm25 || 1) },
    semantic: row.semantic_rank === null || !hit ? null : { rank: row.semantic_rank, similarity: hit.similarity },
    weights: { keyword: 1, semantic: weightOf(ctx, input.mode) },
  }
  return {
    ...toMemoryItem(row),
    similarity: hit?.similarity ?? null,
    score: row.score ?? 0,
    ...(input.include.includes('score_breakdown') ? { score_breakdown: breakdown } : {}),
    snippet: snippet(row.text, terms, () => (hit && chunks(row.text, ctx.embedder.maxTokens)[hit.chunk]) ?? null),
  }
}

export const searchEndpoint = endpoint({
  method: 'post',
  path: '/api/memory/search',
  tag: 'memory',
  summary: 'Search by keyword and by meaning',
  description:
    'Keyword search finds a stored item at once, semantic search as soon as its `embedding_status` is `completed`: look at `pending`, or at the item, before a semantic search. Searches one project and one namespace; `"*"` reads all namespaces that the credential may read.',
  scope: 'read:memory',
  limit: 'memory.search',
  audit: 'memory.search',
  body: SearchInput,
  reply: { 200: SearchReply },
  errors: ['not_found', 'dependency_unavailable'],
  example: { body: { query: 'What does the customer pay with?', context: { namespace: 'customer-17' }, limit: 5 } },
}).handle(async ({ ctx, body, charge }) => {
  await charge(furtherPermits(body.filters))
  return search(ctx, body)
})
