import type { AuthContext } from '../../core/context.ts'
import { withinTokens } from '../../core/values/token-budget.ts'
import type { Chunk } from '../../core/vectors.ts'
import { toMemoryItem } from '../item.ts'
import type { Match } from './match.ts'
import type { Question, ScoreBreakdown, SearchResult } from './search-schema.ts'
import { neighborsOf } from './shown-neighbors.ts'
import { bestPart, snippet } from './snippet.ts'
import type { Weights } from './weights.ts'

/** A match as the client reads it. `weights`: those of its scores. */
export function toResult(
  ctx: AuthContext,
  { terms, recency, neighbors, include }: Question,
  weights: Weights,
  match: Match & { rerankScore?: number },
): SearchResult {
  const { row, hit, rerankScore } = match
  return {
    ...toMemoryItem(row),
    similarity: hit?.similarity ?? null,
    score: toScore(row.score),
    ...(include.includes('score_breakdown') ? { score_breakdown: breakdown(match, weights, recency) } : {}),
    snippet: snippet(row.text, terms.present, bestChunk(ctx, match)),
    ...(neighbors > 0 ? { neighbors: neighborsOf(row) } : {}),
    ...(rerankScore === undefined ? {} : { rerank_score: rerankScore }),
  }
}

/** The results within a budget of tokens, which their texts and those around them fill. Without one, all of them. */
export const withinBudget = (results: readonly SearchResult[], maxTokens = Infinity): SearchResult[] =>
  withinTokens(results, maxTokens, ({ content, neighbors = [] }) => [content, ...neighbors].map(({ text }) => text))

/** UTF-16 units of each text that a reranker reads: its best part. */
const MAX_RERANK_CHARACTERS = 2_000

/** What a reranker reads of a match. */
export const rerankedPart = (ctx: AuthContext, { terms }: Question, match: Match): string =>
  bestPart(match.row.text, terms.present, bestChunk(ctx, match), MAX_RERANK_CHARACTERS)

/** The part of the text that the hit is about. Called only where the text is longer than the wanted part. */
export const bestChunk =
  (ctx: AuthContext, { row, hit }: Match): (() => Chunk | null) =>
  () =>
    hit ? (hit.offsets ?? ctx.embedder.chunks(row.text)[hit.chunk] ?? null) : null

/** A score to read: six digits behind the point are more than a ranking means. */
export const toScore = (value: number | null): number => Math.round((value ?? 0) * 1e6) / 1e6

function breakdown({ row, hit }: Match, weights: Weights, recency: Question['recency']): ScoreBreakdown {
  const [keyword, semantic] = [row.keyword ?? 0, row.semantic ?? 0]
  return {
    keyword: row.keyword_rank === null ? null : { rank: row.keyword_rank, score: toScore(keyword) },
    semantic:
      row.semantic_rank === null || !hit
        ? null
        : { rank: row.semantic_rank, similarity: hit.similarity, score: toScore(semantic) },
    terms_left_out: row.terms_left_out,
    weights,
    contributions: {
      keyword: toScore(weights.keyword * keyword),
      semantic: toScore(weights.semantic * semantic),
      speaker: toScore(row.speaker_gain),
      date: toScore(row.date),
      neighbor: toScore(row.gain),
    },
    ...(recency ? { recency: { weight: recency.weight, score: toScore(row.recency) } } : {}),
  }
}
