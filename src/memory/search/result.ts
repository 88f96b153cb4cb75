import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import type { Chunk } from '../../core/vectors.ts'
import { MemoryItemSchema, toMemoryItem } from '../item.ts'
import { neighborsOf, NeighborSchema } from './shown-neighbors.ts'
import type { Recency } from './recency.ts'
import type { SearchRow } from './search-sql.ts'
import type { RankedHit } from './semantic.ts'
import { snippet } from './snippet.ts'
import type { Weights } from './weights.ts'

const ScoreBreakdown = z.object({
  keyword: z.object({ rank: z.int(), score: z.number() }).nullable().meta({
    description:
      'Rank among the keyword matches considered, and the BM25 score relative to the highest score possible for the query.',
  }),
  semantic: z
    .object({ rank: z.int(), similarity: z.number(), score: z.number() })
    .nullable()
    .meta({ description: 'Rank among the semantic matches considered, cosine similarity, and semantic score.' }),
  weights: z
    .object({ keyword: z.number(), semantic: z.number() })
    .meta({ description: 'The weights that were used. They add up to 1.' }),
  contributions: z.object({ keyword: z.number(), semantic: z.number(), neighbor: z.number() }).meta({
    description:
      'What each part adds to `score`: its weight times its score, and the share that the better neighbour in the conversation contributes. A keyword match that is not a semantic match gets a share of the last semantic match.',
  }),
  recency: z.object({ weight: z.number(), score: z.number() }).optional().meta({
    description:
      'Only with `recency`: score = (1 − weight) · the sum of the contributions, at most 1, + weight · this score.',
  }),
})

/** A result of a search: an item, and how it was found. */
export const SearchResultSchema = MemoryItemSchema.extend({
  similarity: z
    .number()
    .nullable()
    .meta({ description: 'Cosine similarity; null if the item matched by keyword only.' }),
  score: z.number().meta({ description: 'From 0 to 1: the weighted sum of the keyword score and the semantic score.' }),
  rerank_score: z.number().optional().meta({
    description: 'Score from the reranker. Its scale depends on the model, so compare it only within one response.',
  }),
  score_breakdown: ScoreBreakdown.optional(),
  snippet: z.string(),
  neighbors: z.array(NeighborSchema).optional().meta({ description: 'Only with `neighbors`, in order of occurrence.' }),
})

/** A score to read: six digits behind the point are more than a ranking means. */
const toScore = (value: number | null): number => Math.round((value ?? 0) * 1e6) / 1e6

/** The parts of a result besides its item. */
export interface Shown {
  /** Those of the breakdown; null: no breakdown. */
  weights: Weights | null
  recency: Recency | undefined
  /** Items on each side. */
  neighbors: number
}

export function toResult(
  ctx: AuthContext,
  terms: readonly string[],
  row: SearchRow,
  hit: RankedHit | undefined,
  { weights, recency, neighbors }: Shown,
): z.infer<typeof SearchResultSchema> {
  return {
    ...toMemoryItem(row),
    similarity: hit?.similarity ?? null,
    score: toScore(row.score),
    ...(weights ? { score_breakdown: breakdown(row, hit, weights, recency) } : {}),
    snippet: snippet(row.text, terms, bestChunk(ctx, row, hit)),
    ...(neighbors > 0 ? { neighbors: neighborsOf(row) } : {}),
  }
}

/** The part of the text that the hit is about. Called only where the text is longer than the wanted part. */
export const bestChunk =
  (ctx: AuthContext, { text }: SearchRow, hit: RankedHit | undefined): (() => Chunk | null) =>
  () =>
    hit ? (hit.offsets ?? ctx.embedder.chunks(text)[hit.chunk] ?? null) : null

function breakdown(
  row: SearchRow,
  hit: RankedHit | undefined,
  weights: Weights,
  recency: Recency | undefined,
): z.infer<typeof ScoreBreakdown> {
  const [keyword, semantic] = [row.keyword ?? 0, row.semantic ?? 0]
  return {
    keyword: row.keyword_rank === null ? null : { rank: row.keyword_rank, score: toScore(keyword) },
    semantic:
      row.semantic_rank === null || !hit
        ? null
        : { rank: row.semantic_rank, similarity: hit.similarity, score: toScore(semantic) },
    weights,
    contributions: {
      keyword: toScore(weights.keyword * keyword),
      semantic: toScore(weights.semantic * semantic),
      neighbor: toScore(row.gain),
    },
    ...(recency ? { recency: { weight: recency.weight, score: toScore(row.recency) } } : {}),
  }
}
