export const RECALL_AT = [1, 3, 5, 10] as const
/** Results asked for, and ranks that MRR counts. */
export const DEPTH = 20

/** How a search answered one question. */
export interface Ranked {
  /** Number of items that answer it; 0: none does. */
  expected: number
  /** Ranks of those among the results, from 1, ascending. */
  ranks: readonly number[]
  /** Number of results. */
  results: number
  /** Milliseconds of the call, without waits. */
  ms: number
  /** Found by keyword alone, because semantic search failed. */
  degraded: boolean
  /** Reranking was asked for and not applied. */
  notReranked: boolean
}

/** The figures of a mode. null: no question that they count. */
export interface Figures {
  /** Questions that have an answer. */
  answerable: number
  recall_at_1: number | null
  recall_at_3: number | null
  recall_at_5: number | null
  recall_at_10: number | null
  mrr: number | null
  /** Questions that have no answer, and how many of them have a result all the same. */
  unanswerable: number
  false_positives: number
  p50_ms: number | null
  p95_ms: number | null
  degraded: number
  not_reranked: number
}

/** The share of the expected items among the first `depth` results. */
export const recallAt = ({ expected, ranks }: Pick<Ranked, 'expected' | 'ranks'>, depth: number): number =>
  ranks.filter((rank) => rank <= depth).length / expected

/** 1 / the rank of the first expected item; 0 without one. */
export const reciprocalRank = ({ ranks: [first] }: Pick<Ranked, 'ranks'>): number =>
  first === undefined || first > DEPTH ? 0 : 1 / first

/** The smallest value that at least `share` of the values do not exceed (nearest rank). */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

export function figuresOf(answers: readonly Ranked[]): Figures {
  const answerable = answers.filter(({ expected }) => expected > 0)
  const unanswerable = answers.filter(({ expected }) => expected === 0)
  const recall = (depth: (typeof RECALL_AT)[number]) => mean(answerable.map((answer) => recallAt(answer, depth)))
  const times = answers.map(({ ms }) => ms)
  return {
    answerable: answerable.length,
    recall_at_1: recall(1),
    recall_at_3: recall(3),
    recall_at_5: recall(5),
    recall_at_10: recall(10),
    mrr: mean(answerable.map(reciprocalRank)),
    unanswerable: unanswerable.length,
    false_positives: unanswerable.filter(({ results }) => results > 0).length,
    p50_ms: percentile(times, 0.5),
    p95_ms: percentile(times, 0.95),
    degraded: answers.filter(({ degraded }) => degraded).length,
    not_reranked: answers.filter(({ notReranked }) => notReranked).length,
  }
}

/** The answers that fall short, worst first: by recall at 10, then by the rank of the first expected item. */
export const worstOf = <T extends { ranked: Ranked }>(answers: readonly T[], most: number): T[] =>
  answers
    .map((answer) => ({ answer, ...qualityOf(answer.ranked) }))
    .filter(({ recall, first }) => recall < 1 || first < 1)
    .sort((a, b) => a.recall - b.recall || a.first - b.first)
    .slice(0, most)
    .map(({ answer }) => answer)

/** A question without an answer is answered well by no results. */
function qualityOf(ranked: Ranked): { recall: number; first: number } {
  if (ranked.expected > 0) return { recall: recallAt(ranked, 10), first: reciprocalRank(ranked) }
  const empty = Number(ranked.results === 0)
  return { recall: empty, first: empty }
}
