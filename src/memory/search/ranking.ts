/** BM25: how fast a repeated term stops adding to the score. Chosen on data, as B and RARITY are (docs/search.md). */
export const K1 = 0.7
/** BM25: how much the length of a text counts against it. */
export const B = 0.75
/** Exponent of a term's rarity (its idf). Above 1, rare terms weigh more than in plain BM25. */
export const RARITY = 1.6
/**
 * Postings that a search reads (contract §3). No query of a usual text comes near it: it bounds what a search costs, whatever
 * its words.
 */
export const MAX_POSTINGS = 50_000
/** One of several terms may have this many times its equal share of them. A term with more is too common. */
export const MAX_TERM_SHARE = 4
/** A keyword match that is no semantic hit gets this share of the last hit's semantic score: its own is unknown, and lower, or that of a long turn, which is charged here too. */
export const UNSEEN_SHARE = 0.8
/** Semantic hits that a search considers, of those that the caller may read. The last of them is the measure of `UNSEEN_SHARE`. */
export const MAX_SEMANTIC_HITS = 100
/** Items that a search considers: the semantic hits, and besides them the best keyword matches. */
export const MAX_CANDIDATES = 200
/** With fewer hits the last one may be a right answer. Its cosine is then a poor measure of an unrelated text. */
export const FEW_HITS = 20
/** Keeps the relative scale from a division by zero where all hits equal the query. */
export const MAX_ZERO = 0.999_999

/** SQL: ends a subquery whose expressions SQLite would write into each place that reads them. */
export const ONCE = 'limit -1'

/** Items of a narrow search that are ranked: their hits come near the 2 MB that D1 takes as a parameter. */
const MAX_NARROW_ITEMS = 10_000
export const maxNarrowItems = ({ exactTierMax }: { exactTierMax: number }): number =>
  Math.min(exactTierMax, MAX_NARROW_ITEMS)
