/** Of BM25: how soon a repeated word stops to count, and how much a text's length matters. Chosen on data (docs/search.md). */
export const K1 = 0.7
export const B = 0.75
/** Exponent of a word's rarity (its idf): above 1, rare words count for more than BM25 gives them. */
export const RARITY = 1.6
/** Of reciprocal rank fusion (Cormack et al., 2009). */
export const FUSION_K = 60
/** Best matches by words that are considered. */
export const MAX_WORD_MATCHES = 200
/** Hits by meaning that are considered: more than are asked for, since some may not be shown. */
export const MAX_CANDIDATES = 100
/** Where nothing is fused, fewer hits lead to the same answer; a fused one would change where the hits end. */
export const candidatesFor = (limit: number, fused: boolean): number =>
  fused ? MAX_CANDIDATES : Math.min(MAX_CANDIDATES, Math.max(50, 3 * limit))

/** How often a word of the query stands in a text. */
export interface Occurrence {
  row: number
  term: number
  count: number
}

export interface RankInput {
  occurrences: readonly Occurrence[]
  /** Words of each text. */
  lengths: ReadonlyMap<number, number>
  /** Of the whole project. */
  project: { items: number; words: number }
  /** Best first. */
  hits: readonly { row: number; similarity: number }[]
  /** Weight of a rank by meaning against one by words. */
  weight: number
  threshold: number | null
  limit: number
}

export interface Ranked {
  row: number
  score: number
  bm25: number | null
  wordRank: number | null
  similarity: number | null
  vectorRank: number | null
}

/**
 * What the search statement computes in SQL, in plain words: BM25 over the project's own counts, reciprocal rank
 * fusion with the vector hits. The tests hold the two against each other; `bench/quality.ts` chose the numbers.
 */
export function rank(input: RankInput): Ranked[] {
  const byWords = [...bm25(input)].sort(([rowA, a], [rowB, b]) => b - a || rowB - rowA).slice(0, MAX_WORD_MATCHES)
  const all = new Map<number, Ranked>()
  byWords.forEach(([row, score], at) => {
    all.set(row, { row, score: 0, bm25: score, wordRank: at + 1, similarity: null, vectorRank: null })
  })
  input.hits.forEach(({ row, similarity }, at) => {
    const known = all.get(row) ?? { row, score: 0, bm25: null, wordRank: null, similarity: null, vectorRank: null }
    all.set(row, { ...known, similarity, vectorRank: at + 1 })
  })
  return [...all.values()]
    .map((one) => ({ ...one, score: share(one.wordRank) + input.weight * share(one.vectorRank) }))
    .filter((one) => input.threshold === null || (one.similarity ?? -1) >= input.threshold)
    .sort((a, b) => b.score - a.score || b.row - a.row)
    .slice(0, input.limit)
}

const share = (place: number | null): number => (place === null ? 0 : 1 / (FUSION_K + place))

function bm25({ occurrences, lengths, project }: RankInput): Map<number, number> {
  const average = project.words / project.items
  const scores = new Map<number, number>()
  for (const [, own] of Map.groupBy(occurrences, (one) => one.term)) {
    const rarity = Math.log(1 + (project.items - own.length + 0.5) / (own.length + 0.5)) ** RARITY
    for (const { row, count } of own) {
      const length = (lengths.get(row) ?? 0) / average
      const weight = (count * (K1 + 1)) / (count + K1 * (1 - B + B * length))
      scores.set(row, (scores.get(row) ?? 0) + rarity * weight)
    }
  }
  // Equal texts are equal, in whatever order their sums were made.
  for (const [row, score] of scores) scores.set(row, Math.round(score * 1e6) / 1e6)
  return scores
}
