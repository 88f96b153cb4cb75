import { z } from '@hono/zod-openapi'
import { onlyTrue, text } from '../../core/http/fields.ts'
import { CHARACTERS_PER_TOKEN, MAX_TOKENS } from '../../core/values/token-budget.ts'
import { Filters } from '../filter/filter.ts'
import { ReadContext } from '../filter/read-context.ts'
import { MemoryItemSchema } from '../item.ts'
import type { QueryTerms } from '../keyword/query-terms.ts'
import { InterpretedSchema, ReferenceDate, type Interpreted } from './dates/interpret.ts'
import { Recency } from './recency.ts'
import { RerankInput, RerankReply } from './rerank.ts'
import { MAX_NEIGHBORS, NeighborSchema } from './shown-neighbors.ts'
import { MODES } from './weights.ts'

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
    reference_date: ReferenceDate.optional(),
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
export type SearchInput = z.output<typeof SearchInput>

/** What a search asks, wherever it looks. */
export interface Question extends Omit<SearchInput, 'reference_date'> {
  terms: QueryTerms
  /** Its words that may name a speaker. */
  names: readonly string[]
  /** The time that it names. */
  date: Interpreted | null
  /** Rows wanted. */
  wanted: number
  /** The rows tell which terms of the query their items have. */
  tellsTerms?: true
}

const ScoreBreakdownSchema = z.object({
  keyword: z.object({ rank: z.int(), score: z.number() }).nullable().meta({
    description:
      'Rank among the keyword matches considered, and the BM25 score relative to the highest score possible for the query.',
  }),
  semantic: z
    .object({ rank: z.int(), similarity: z.number(), score: z.number() })
    .nullable()
    .meta({ description: 'Rank among the semantic matches considered, cosine similarity, and semantic score.' }),
  terms_left_out: z.int().meta({
    description: 'Terms of the query that are too common to be read: they count nowhere.',
  }),
  weights: z
    .object({ keyword: z.number(), semantic: z.number() })
    .meta({ description: 'The weights that were used. They add up to 1.' }),
  contributions: z
    .object({ keyword: z.number(), semantic: z.number(), speaker: z.number(), date: z.number(), neighbor: z.number() })
    .meta({
      description:
        'What each part adds to `score`: its weight times its score, what the speaker and the time that the query names add, and what the neighbours in the conversation lend. A keyword match that is not a semantic match gets a share of the last semantic match.',
    }),
  recency: z.object({ weight: z.number(), score: z.number() }).optional().meta({
    description:
      'Only with `recency`: score = (1 − weight) · the sum of the contributions, at most 1, + weight · this score.',
  }),
})

export type ScoreBreakdown = z.infer<typeof ScoreBreakdownSchema>

/** A result of a search: an item, and how it was found. */
export const SearchResultSchema = MemoryItemSchema.extend({
  similarity: z
    .number()
    .nullable()
    .meta({ description: 'Cosine similarity; null if only keywords or neighbours in a conversation found the item.' }),
  score: z.number().meta({
    description:
      'From 0 to 1: the weighted sum of the keyword score and the semantic score, raised for the speaker and the time that the query names and by neighbours in a conversation, and blended with `recency`.',
  }),
  rerank_score: z.number().optional().meta({
    description: 'Score from the reranker. Its scale depends on the model, so compare it only within one response.',
  }),
  score_breakdown: ScoreBreakdownSchema.optional(),
  snippet: z.string(),
  neighbors: z.array(NeighborSchema).optional().meta({ description: 'Only with `neighbors`, in order of occurrence.' }),
})

export type SearchResult = z.infer<typeof SearchResultSchema>

/** The value of `degraded` where a hybrid search answers by keyword only (contract §3). */
export const SEMANTIC_UNAVAILABLE = 'semantic_unavailable'

export const SearchReply = z
  .object({
    results: z.array(SearchResultSchema),
    truncated: onlyTrue.optional().meta({
      description: 'Only if results were omitted because of `max_tokens` or the limit of 2 MiB of texts and metadata.',
    }),
    total: z.int().meta({ description: 'Matches among the candidates considered.' }),
    mode: z.enum(MODES),
    interpreted: z.union([InterpretedSchema, z.null()]),
    pending: z.int().meta({ description: 'Items in scope that are waiting for their embedding, counted up to 1,000.' }),
    took_ms: z.int(),
    query_vector_id: z.string().nullable(),
    degraded: z.literal(SEMANTIC_UNAVAILABLE).optional(),
    rerank: RerankReply.optional(),
  })
  .openapi('MemorySearchReply')
export type SearchReply = z.infer<typeof SearchReply>
