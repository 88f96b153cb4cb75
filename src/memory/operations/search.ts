import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { text } from '../../core/http/fields.ts'
import { SAMPLE_QUESTION, SAMPLE_TEXT } from '../../core/sample.ts'
import { CHARACTERS_PER_TOKEN, MAX_TOKENS } from '../../core/values/token-budget.ts'
import { Filters } from '../filter/filter.ts'
import { furtherPermits } from '../filter/filter-permits.ts'
import { targetProject } from '../access.ts'
import { ReadContext } from '../item.ts'
import { isOutdated, rememberRevision, settledRevision } from '../search/vector-revisions.ts'
import { queryTerms } from '../keyword/tokenize.ts'
import { readScope, type ReadScope } from '../filter/read-scope.ts'
import { withCheapFilter, withLargeMetadata } from '../search/cheap-filter.ts'
import { SEMANTIC_UNAVAILABLE, semanticHitsOrDegraded } from '../search/degraded.ts'
import { match, type Question } from '../search/match.ts'
import { MAX_RERANK_CHARACTERS, rerank, RerankInput, RerankReply, rerankTop } from '../search/rerank.ts'
import { bestChunk, SearchResultSchema, toResult } from '../search/result.ts'
import type { SearchRow } from '../search/search-sql.ts'
import { MAX_NEIGHBORS } from '../search/shown-neighbors.ts'
import { Recency } from '../search/recency.ts'
import {
  hitsNeeded,
  hitsWanted,
  NO_HITS,
  rememberCrowded,
  type RankedHit,
  type SemanticHits,
} from '../search/semantic.ts'
import { bestPart } from '../search/snippet.ts'
import { withinBudget } from '../search/token-budget.ts'
import { KEYWORD_ONLY, MODES, weightsOf } from '../search/weights.ts'
import { FILTER_REFUSALS } from '../refusals.ts'
import { SAMPLE_ITEM } from '../sample.ts'

const MAX_QUERY_CHARACTERS = 4_096
const MAX_RESULTS = 100
const DEFAULT_RESULTS = 10

export const SearchInput = z
  .strictObject({
    query: text(1, MAX_QUERY_CHARACTERS),
    context: ReadContext.optional(),
    filters: Filters.optional(),
    limit: z.int().min(1).max(MAX_RESULTS).default(DEFAULT_RESULTS),
    max_tokens: z
      .int()
      .min(1)
      .max(MAX_TOKENS)
      .optional()
      .meta({
        description: `Keeps the first results whose texts fit, at ${CHARACTERS_PER_TOKEN} characters per token; always at least one.`,
      }),
    similarity_threshold: z.number().min(0).max(1).optional(),
    mode: z.enum(MODES).default('hybrid'),
    rerank: RerankInput.optional(),
    neighbors: z.int().min(0).max(MAX_NEIGHBORS).default(0).meta({
      description: 'Shows this many items before and after each result in its conversation, regardless of the filters.',
    }),
    recency: Recency.optional(),
    include: z
      .array(z.enum(['score_breakdown']))
      .max(1)
      .default([]),
  })
  .refine((input) => input.mode !== 'keyword' || input.similarity_threshold === undefined, {
    path: ['similarity_threshold'],
    message: 'similarity_threshold cannot be used with mode "keyword".',
    params: { code: 'invalid_combination' },
  })
  .openapi('MemorySearch')

export const SearchReply = z
  .object({
    results: z.array(SearchResultSchema),
    truncated: z.literal(true).optional().meta({
      description: 'Only if results were omitted because of `max_tokens` or the limit of 2 MiB of texts and metadata.',
    }),
    total: z.int().meta({ description: 'Matches among the candidates considered.' }),
    mode: z.enum(MODES),
    pending: z.int().meta({ description: 'Items in scope that are waiting for their embedding, counted up to 1,000.' }),
    took_ms: z.int(),
    query_vector_id: z.string().nullable(),
    degraded: z.literal(SEMANTIC_UNAVAILABLE).optional(),
    rerank: RerankReply.optional(),
  })
  .openapi('MemorySearchReply')
export type SearchReply = z.infer<typeof SearchReply>

/**
 * Searches one project with one call to its vectors at most and one D1 statement. It asks again where a copy of the vectors
 * is outdated, and where the caller may not read so many of the best hits that too few are left.
 * 404 for a project that the caller may not see; 503 in `semantic` mode while model or vectors do not answer.
 */
export async function search(ctx: AuthContext, input: z.output<typeof SearchInput>): Promise<SearchReply> {
  const startedAt = ctx.now()
  const top = rerankTop(ctx, input.rerank)
  const wanted = Math.max(input.limit, top)
  const target = targetProject(ctx, input.context?.project_id)
  const { projectId } = target
  ctx.trail.projectId = projectId
  const visible = (found: ReadScope | null): ReadScope => {
    if (!found) throw target.missing()
    return found
  }
  let scope = visible(
    await withCheapFilter(ctx, readScope(ctx.principal, projectId, input.context ?? {}, input.filters)),
  )
  const asked = weightsOf(ctx.embedder, input.mode, input.query)
  let semantic: SemanticHits | null =
    asked.semantic === 0 && input.similarity_threshold === undefined
      ? NO_HITS
      : await semanticHitsOrDegraded(ctx, scope, input, hitsWanted(projectId), settledRevision(projectId, ctx.now()))
  const terms = queryTerms(input.query)
  const question: Question = {
    terms: input.mode === 'semantic' ? [] : terms,
    threshold: input.similarity_threshold ?? null,
    wanted,
    recency: input.recency,
    neighbors: input.neighbors,
    ranks: input.include.includes('score_breakdown'),
  }
  const fused = () => (semantic ? asked : KEYWORD_ONLY)
  const matches = async (): Promise<SearchRow[]> => {
    const within = () => match(ctx, scope, question, semantic?.hits ?? [], fused())
    const found = await within()
    if (!found[0]?.left_out) return found
    scope = visible(await withLargeMetadata(ctx, scope))
    return within()
  }
  let rows = await matches()
  rememberRevision(projectId, rows, ctx.now())
  if (semantic && isOutdated(semantic, rows)) {
    semantic = await semanticHitsOrDegraded(ctx, scope, input, hitsWanted(projectId), null)
    rows = await matches()
  }
  if (semantic?.more && rows[0] && (rows[0].hits ?? 0) < hitsNeeded(semantic, wanted)) {
    rememberCrowded(projectId)
    semantic = await semanticHitsOrDegraded(ctx, scope, input, Infinity, null)
    rows = await matches()
  }
  const [first] = rows
  if (!first) throw target.missing()
  const found = rows.filter((row) => row.passes)
  const shown = { ...question, weights: question.ranks ? fused() : null }
  const hitOf = (row: SearchRow): RankedHit | undefined => semantic?.hits[row.hit ?? -1]
  const reranked = await rerank(ctx, { query: input.query, top }, found, (row) =>
    bestPart(row.text, terms, bestChunk(ctx, row, hitOf(row)), MAX_RERANK_CHARACTERS),
  )
  const all = reranked.rows.slice(0, input.limit).map(({ row, rerankScore }) => ({
    ...toResult(ctx, terms, row, hitOf(row), shown),
    ...(rerankScore === undefined ? {} : { rerank_score: rerankScore }),
  }))
  const results = withinBudget(all, input.max_tokens)
  ctx.trail.resourceIds = idsOf(results)
  return {
    results,
    ...(results.length < all.length || rows.some((row) => row.left_off) ? { truncated: true } : {}),
    total: first.total ?? 0,
    mode: input.mode,
    pending: first.pending,
    took_ms: Math.max(0, ctx.now() - startedAt),
    query_vector_id: semantic?.vectorId ?? null,
    ...(semantic ? {} : { degraded: SEMANTIC_UNAVAILABLE }),
    ...(top > 0 ? { rerank: reranked.outcome } : {}),
  }
}

/** Of the results, and of the items around them. */
function idsOf(results: SearchReply['results']): string[] {
  const ids = new Set<string>()
  for (const { id, neighbors = [] } of results) {
    ids.add(id)
    for (const neighbor of neighbors) ids.add(neighbor.id)
  }
  return [...ids]
}

export const searchEndpoint = endpoint({
  method: 'post',
  path: '/api/memory/search',
  operationId: 'searchMemories',
  refusals: {
    ...FILTER_REFUSALS,
    invalid_value: '`similarity_threshold` is sent with the mode `keyword`',
    not_configured: '`rerank` is requested, but the service has no reranker',
  },
  tag: 'memory',
  summary: 'Search by keyword and by meaning',
  description:
    'Keyword search finds a stored item immediately, semantic search as soon as its `embedding_status` is `completed`: check `pending`, or the item, before you rely on a semantic search. Searches one project and one namespace; `"*"` searches all namespaces that the credential can read.',
  scope: 'read:memory',
  limit: 'memory.search',
  audit: 'memory.search',
  body: SearchInput,
  reply: { 200: SearchReply },
  errors: ['not_found', 'dependency_unavailable'],
  example: {
    body: { query: SAMPLE_QUESTION, limit: 5 },
    reply: {
      results: [{ ...SAMPLE_ITEM, similarity: 0.2957, score: 0.04434, snippet: SAMPLE_TEXT }],
      total: 1,
      mode: 'hybrid',
      pending: 0,
      took_ms: 12,
      query_vector_id: 'qv_7864395cd109b0d105f65f52af',
    },
  },
}).handle(async ({ ctx, body, charge }) => {
  await charge(furtherPermits(body.filters))
  return search(ctx, body)
})
