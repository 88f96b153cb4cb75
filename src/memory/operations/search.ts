import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { SAMPLE_QUESTION, SAMPLE_TEXT } from '../../core/sample.ts'
import { targetProject } from '../access.ts'
import { furtherPermits } from '../filter/filter-permits.ts'
import { readScope } from '../filter/read-scope.ts'
import { queryTerms } from '../keyword/query-terms.ts'
import { FILTER_REFUSALS } from '../refusals.ts'
import { SAMPLE_ITEM } from '../sample.ts'
import { interpret, toInterpreted } from '../search/dates/interpret.ts'
import { match } from '../search/match.ts'
import { rerank, rerankTop } from '../search/rerank.ts'
import { rerankedPart, toResult, withinBudget } from '../search/result.ts'
import { askedNames } from '../speakers/speaker-key.ts'
import { SEMANTIC_UNAVAILABLE, SearchInput, SearchReply, type Question } from '../search/search-schema.ts'

/**
 * Searches one project. 404 for a project that the caller may not see; 503 in `semantic` mode while model or vectors do not
 * answer.
 */
export async function search(ctx: AuthContext, input: SearchInput): Promise<SearchReply> {
  const startedAt = ctx.now()
  const top = rerankTop(ctx, input.rerank)
  const target = targetProject(ctx, input.context?.project_id)
  ctx.trail.projectId = target.projectId
  const scope = readScope(ctx.principal, target.projectId, input.context ?? {}, input.filters)
  const { reference_date: reference, ...asked } = input
  const question: Question = {
    ...asked,
    terms: queryTerms(input.query, ctx.vocabulary),
    names: askedNames(input.query),
    date: interpret(input.query, startedAt, reference),
    wanted: Math.max(input.limit, top),
  }
  const found = await match(ctx, scope, question)
  if (!found) throw target.missing()
  const reranked = await rerank(ctx, { query: input.query, top }, found.matches, (one) =>
    rerankedPart(ctx, question, one),
  )
  const all = reranked.matches.slice(0, input.limit).map((one) => toResult(ctx, question, found.weights, one))
  const results = withinBudget(all, input.max_tokens)
  ctx.trail.resourceIds = idsOf(results)
  return {
    results,
    ...(results.length < all.length || found.leftOff ? { truncated: true } : {}),
    total: found.total,
    mode: input.mode,
    interpreted: question.date && toInterpreted(question.date),
    pending: found.pending,
    took_ms: Math.max(0, ctx.now() - startedAt),
    query_vector_id: found.vectorId,
    ...(found.degraded ? { degraded: SEMANTIC_UNAVAILABLE } : {}),
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
      results: [{ ...SAMPLE_ITEM, similarity: 0.6219, score: 0.3073, snippet: SAMPLE_TEXT }],
      total: 1,
      mode: 'hybrid',
      interpreted: null,
      pending: 0,
      took_ms: 12,
      query_vector_id: 'qv_7864395cd109b0d105f65f52af',
    },
  },
}).handle(async ({ ctx, body, charge }) => {
  await charge(furtherPermits(body.filters))
  return search(ctx, body)
})
