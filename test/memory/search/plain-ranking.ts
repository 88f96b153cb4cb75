import { B, FUSION_K, K1, MAX_KEYWORD_MATCHES, RARITY } from '../../../src/memory/search/ranking.ts'

/** How often a term of the query stands in a text. */
export interface Occurrence {
  row: number
  term: number
  count: number
}

export interface RankInput {
  occurrences: readonly Occurrence[]
  /** Terms of each text. */
  lengths: ReadonlyMap<number, number>
  /** Items and terms of the whole project. */
  project: { items: number; terms: number }
  /** Best first. */
  hits: readonly { row: number; similarity: number }[]
  /** Weight of a semantic rank; a keyword rank weighs 1. */
  weight: number
  threshold: number | null
  limit: number
}

export interface Ranked {
  row: number
  score: number
  bm25: number | null
  keywordRank: number | null
  similarity: number | null
  semanticRank: number | null
}

/**
 * What the search statement computes in SQL, written plainly: BM25 over the project's own counts, and reciprocal rank
 * fusion with the semantic hits. The tests hold the statement against it.
 */
export function rank(input: RankInput): Ranked[] {
  const matches = [...bm25(input)].sort(([rowA, a], [rowB, b]) => b - a || rowB - rowA).slice(0, MAX_KEYWORD_MATCHES)
  const all = new Map<number, Ranked>()
  matches.forEach(([row, score], at) => {
    all.set(row, { row, score: 0, bm25: score, keywordRank: at + 1, similarity: null, semanticRank: null })
  })
  input.hits.forEach(({ row, similarity }, at) => {
    const match = all.get(row) ?? { row, score: 0, bm25: null, keywordRank: null, similarity: null, semanticRank: null }
    all.set(row, { ...match, similarity, semanticRank: at + 1 })
  })
  return [...all.values()]
    .map((one) => ({ ...one, score: share(one.keywordRank) + input.weight * share(one.semanticRank) }))
    .filter((one) => input.threshold === null || (one.similarity ?? -1) >= input.threshold)
    .sort((a, b) => b.score - a.score || b.row - a.row)
    .slice(0, input.limit)
}

const share = (rank: number | null): number => (rank === null ? 0 : 1 / (FUSION_K + rank))

function bm25({ occurrences, lengths, project }: RankInput): Map<number, number> {
  const average = project.terms / project.items
  const scores = new Map<number, number>()
  for (const [, own] of Map.groupBy(occurrences, (one) => one.term)) {
    const rarity = Math.log(1 + (project.items - own.length + 0.5) / (own.length + 0.5)) ** RARITY
    for (const { row, count } of own) {
      const length = (lengths.get(row) ?? 0) / average
      const weight = (count * (K1 + 1)) / (count + K1 * (1 - B + B * length))
      scores.set(row, (scores.get(row) ?? 0) + rarity * weight)
    }
  }
  // Rounding makes the scores of equal texts equal, in whatever order their sums were added.
  for (const [row, score] of scores) scores.set(row, Math.round(score * 1e6) / 1e6)
  return scores
}
