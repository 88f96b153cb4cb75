import { SEMANTIC_CHARGE, USUAL_WORDS } from '../../../src/core/values/long-turns.ts'
import { KEYWORD_EXPONENT } from '../../../src/memory/search/long-turns-sql.ts'
import {
  B,
  FEW_HITS,
  K1,
  MAX_CANDIDATES,
  MAX_SEMANTIC_HITS,
  MAX_ZERO,
  RARITY,
  UNSEEN_SHARE,
} from '../../../src/memory/search/ranking.ts'

/** How often a term of the query stands in a text. */
export interface Occurrence {
  row: number
  term: number
  count: number
}

/** A semantic hit that the caller may see. */
export interface PlainHit {
  row: number
  similarity: number
  semantic: number
}

export interface RankInput {
  /** Number of different terms of the query. */
  terms: number
  occurrences: readonly Occurrence[]
  /** Texts that the caller may see. The counts of BM25 are those of all texts. */
  visible: ReadonlySet<number>
  /** Terms of each text. */
  lengths: ReadonlyMap<number, number>
  /** Texts that are turns of conversations: the long ones have less. */
  turns?: ReadonlySet<number>
  /** Items and terms of the whole project. */
  project: { items: number; terms: number }
  /** In the order of the vectors: best cosine first, of which long turns have less. */
  hits: readonly PlainHit[]
  /** The semantic scores of the hits are cosines of a model that nothing is known of. */
  relative: boolean
  /** Weight of the semantic score; the keyword score has the rest. */
  weight: number
  threshold: number | null
  floor: number | null
  limit: number
}

export interface Ranked {
  row: number
  score: number
  keyword: number
  semantic: number
  keywordRank: number | null
  semanticRank: number | null
}

interface Candidate {
  row: number
  bm25: number | null
  hit: PlainHit | null
}

/**
 * What the search statement computes in SQL, written plainly: BM25 over the project's own counts, as a share of what the
 * query could score, and its convex combination with the semantic score. The tests hold the statement against it.
 */
export function rank(input: RankInput): Ranked[] {
  const hits = input.hits.slice(0, MAX_SEMANTIC_HITS)
  const excess = (row: number): number =>
    input.turns?.has(row) ? Math.max(0, Math.log((input.lengths.get(row) ?? 0) / USUAL_WORDS)) : 0
  const scale = semanticScale(hits, input.relative)
  const charge = (row: number): number => (input.relative ? 0 : SEMANTIC_CHARGE * excess(row))
  const semantic = (row: number, hit: PlainHit | null): number =>
    hit ? scale({ ...hit, semantic: hit.semantic - charge(row) }) : Math.max(0, scale(null) - charge(row))
  const bySemantic = [...hits].sort((a, b) => semantic(b.row, b) - semantic(a.row, a))
  const { scores, most } = bm25(input)
  const others = [...scores]
    .filter(([row]) => input.visible.has(row) && !hits.some((hit) => hit.row === row))
    .sort(([rowA, a], [rowB, b]) => b - a || rowB - rowA)
    .slice(0, MAX_CANDIDATES - hits.length)
  const charged = (row: number): number | null => {
    const score = scores.get(row)
    return score === undefined ? null : score * Math.exp(-KEYWORD_EXPONENT * excess(row))
  }
  const candidates: Candidate[] = [
    ...hits.map((hit) => ({ row: hit.row, bm25: charged(hit.row), hit })),
    ...others.map(([row]) => ({ row, bm25: charged(row), hit: null })),
  ]
  const byKeyword = candidates
    .filter((one) => one.bm25 !== null)
    .sort((a, b) => (b.bm25 ?? 0) - (a.bm25 ?? 0) || b.row - a.row)
  return candidates
    .filter(({ bm25, hit }) => passes(input, bm25, hit?.similarity ?? null))
    .map((one): Ranked => {
      const parts = { keyword: most === 0 ? 0 : (one.bm25 ?? 0) / most, semantic: semantic(one.row, one.hit) }
      return {
        row: one.row,
        score: Math.min(1, (1 - input.weight) * parts.keyword + input.weight * parts.semantic),
        ...parts,
        keywordRank: byKeyword.indexOf(one) + 1 || null,
        semanticRank: one.hit && bySemantic.indexOf(one.hit) + 1,
      }
    })
    .sort((a, b) => b.score - a.score || b.row - a.row)
    .slice(0, input.limit)
}

function passes({ threshold, floor }: RankInput, bm25: number | null, similarity: number | null): boolean {
  if (threshold !== null && (similarity === null || similarity < threshold)) return false
  return floor === null || bm25 !== null || (similarity !== null && similarity >= floor)
}

/** The semantic score of a hit, or of a text that is none (null). */
function semanticScale(hits: readonly PlainHit[], relative: boolean): (hit: PlainHit | null) => number {
  const last = hits.length === 0 ? 0 : Math.min(MAX_ZERO, ...hits.map(({ semantic }) => semantic))
  const zero = relative ? relativeZero(last, hits.length) : 0
  const scaled = (semantic: number): number => (semantic - zero) / (1 - zero)
  return (hit) => (hit ? Math.max(0, Math.min(1, scaled(hit.semantic))) : UNSEEN_SHARE * Math.max(0, scaled(last)))
}

function relativeZero(last: number, hits: number): number {
  if (hits === 0) return 0
  return hits < FEW_HITS ? last - ((1 - last) * (FEW_HITS - hits)) / FEW_HITS : Math.max(0, last)
}

function bm25({ terms, occurrences, lengths, project }: RankInput): { scores: Map<number, number>; most: number } {
  const average = project.terms / project.items
  const scores = new Map<number, number>()
  let most = 0
  for (let term = 0; term < terms; term++) {
    const own = occurrences.filter((one) => one.term === term)
    const rarity = Math.log(1 + (project.items - own.length + 0.5) / (own.length + 0.5)) ** RARITY
    most += rarity * (K1 + 1)
    for (const { row, count } of own) {
      const length = (lengths.get(row) ?? 0) / average
      const weight = (count * (K1 + 1)) / (count + K1 * (1 - B + B * length))
      scores.set(row, (scores.get(row) ?? 0) + rarity * weight)
    }
  }
  // Rounding makes the scores of equal texts equal, in whatever order their sums were added.
  for (const [row, score] of scores) scores.set(row, Math.round(score * 1e6) / 1e6)
  return { scores, most }
}
