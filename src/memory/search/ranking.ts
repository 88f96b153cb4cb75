/** BM25: how fast a repeated term stops adding to the score. Chosen on data, as B and RARITY are (docs/search.md). */
export const K1 = 0.7
/** BM25: how much the length of a text counts against it. */
export const B = 0.75
/** Exponent of a term's rarity (its idf). Above 1, rare terms weigh more than in plain BM25. */
export const RARITY = 1.6
/** Constant of reciprocal rank fusion (Cormack et al., 2009). */
export const FUSION_K = 60
/** Best keyword matches that a search considers. */
export const MAX_KEYWORD_MATCHES = 200
/** Semantic hits that a search considers: more than it answers, because the caller may not read some of them. */
export const MAX_SEMANTIC_HITS = 100
/**
 * Semantic hits to ask for. Without fusion fewer hits give the same answer. With fusion fewer hits would change the
 * scores at the end of the list.
 */
export const hitsWanted = (limit: number, fused: boolean): number =>
  fused ? MAX_SEMANTIC_HITS : Math.min(MAX_SEMANTIC_HITS, Math.max(50, 3 * limit))
