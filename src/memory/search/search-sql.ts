import type { VectorHit } from '../../core/ports.ts'
import { membershipSql } from '../access.ts'
import { ITEM_COLUMNS, type ItemRow } from '../item.ts'
import { B, FUSION_K, K1, MAX_KEYWORD_MATCHES, RARITY } from './ranking.ts'
import { postingsOfTerm, TERM_COUNT, TEXT_LENGTH } from '../keyword/keyword-index.ts'

/** `pending` stops counting here (contract §3). */
export const MAX_PENDING = 1_000

/** The rankings that take part in a search. */
export interface Rankings {
  keyword: boolean
  semantic: boolean
}

/** A row of a search. `total`, `semantic_matches`, `best_bm25` and `pending` are the same in every row. */
export interface SearchRow extends ItemRow {
  total: number
  /** Semantic hits that the caller may read and that pass the filters. */
  semantic_matches: number
  best_bm25: number | null
  pending: number
  /** null: nothing matched, and the row holds no item. */
  score: number | null
  bm25: number | null
  keyword_rank: number | null
  /** Index into the list of hits, which holds similarity and chunk. */
  hit: number | null
  semantic_rank: number | null
}

/**
 * The one statement of a search: it ranks, fuses, authorises, filters and counts. Parameters: ?1 to ?8 of `ReadScope`,
 * ?9 terms as JSON, ?10 `hitsJson`, ?11 weight of a semantic rank, ?12 number of hits above the threshold (null: no
 * threshold), ?13 rows wanted. It answers no row for a project that the caller may not see.
 */
export const searchSql = (where: string, rankings: Rankings): string => `
  with m as materialized (${MEMBERSHIP}),
  ${rankings.keyword ? keywordMatches(where) : ''}
  ${rankings.semantic ? semanticMatches(where) : ''}
  matches as materialized (
    select row, max(bm25) as bm25, max(keyword_rank) as keyword_rank, max(hit) as hit, max(semantic_rank) as semantic_rank,
      coalesce(1.0 / (${FUSION_K} + max(keyword_rank)), 0) + ?11 * coalesce(1.0 / (${FUSION_K} + max(semantic_rank)), 0) as score,
      (?12 is null or max(hit) < ?12) as above_threshold
    from (${[...(rankings.keyword ? [KEYWORD_RANKS] : []), ...(rankings.semantic ? [SEMANTIC_RANKS] : [])].join(' union all ')})
    group by row),
  best as materialized (
    select * from matches where above_threshold order by score desc, row desc limit ?13)
  select n.total, n.semantic_matches, n.best_bm25,
    (select count(*) from (
      select 1 from memory_items i indexed by memory_items_unembedded
      where i.embedding_status in ('pending', 'processing') and i.deleted_at is null and ${where}
      limit ${MAX_PENDING})) as pending,
    b.score, b.bm25, b.keyword_rank, b.hit, b.semantic_rank, ${ITEM_COLUMNS}
  from m cross join (
      select coalesce(sum(above_threshold), 0) as total, count(hit) as semantic_matches, max(bm25) as best_bm25
      from matches) n
    left join best b left join memory_items i on i.row = b.row
  order by b.score desc, b.row desc`

/** With the counts that BM25 asks for. */
const MEMBERSHIP = membershipSql({
  columns: ', max(coalesce(n.items, 0), 1) as items, max(coalesce(n.words, 0), 1) as words',
  joins: 'left join project_words n on n.project_id = p.id',
})

/** Cross joins fix the planner's order. The last part reads ranked texts in order until enough of them are readable. */
const keywordMatches = (where: string): string => `
  terms as materialized (
    select m.code, t.value as term, cast(m.items as real) / m.words as inverse_average, (
      select pow(ln(1 + (max(m.items, count(*)) - count(*) + 0.5) / (count(*) + 0.5)), ${RARITY})
      from memory_words_instances v where ${postingsOfTerm('m.code', 't.value')}) as rarity
    from m cross join json_each(?9) t),
  ranked as materialized (
    select row, round(sum(rarity * tf * ${K1 + 1} / (tf + ${K1 * (1 - B)} + ${K1 * B} * length * inverse_average)), 6) as bm25
    from (
      select v.doc as row, t.rarity, t.inverse_average, ${TERM_COUNT} as tf, ${TEXT_LENGTH} as length
      from terms t cross join memory_words_instances v on ${postingsOfTerm('t.code', 't.term')})
    group by row order by bm25 desc, row desc),
  keyword_matches as materialized (
    select r.row, r.bm25 from m cross join ranked r cross join memory_items i on i.row = r.row
    where ${where} limit ${MAX_KEYWORD_MATCHES}),`

const KEYWORD_RANKS = `
  select row, bm25, row_number() over (order by bm25 desc, row desc) as keyword_rank, null as hit, null as semantic_rank
  from keyword_matches`

/** Semantic hits, best first, as `item:version`. A known row of the item stands in front: `731mem_…:2`. */
export const hitsJson = (hits: readonly VectorHit[]): string =>
  JSON.stringify(hits.map(({ row, item, version }) => `${row ?? ''}${item}:${version}`))

const semanticMatches = (where: string): string => `
  semantic_matches as materialized (
    select i.row, h.key as hit
    from m cross join json_each(?10) h cross join memory_items i on i.row = iif(cast(h.value as integer) > 0,
      cast(h.value as integer), (select x.row from memory_items x where x.id = substr(h.value, 1, instr(h.value, ':') - 1)))
    where (h.value = i.row || i.id || ':' || i.embedded_version or h.value = i.id || ':' || i.embedded_version)
      and ${where}),`

const SEMANTIC_RANKS = `
  select row, null as bm25, null as keyword_rank, hit, row_number() over (order by hit) as semantic_rank
  from semantic_matches`
