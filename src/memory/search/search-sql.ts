import type { VectorHit } from '../../core/ports.ts'
import { memberOfProject } from '../../identity/index.ts'
import { ITEM_COLUMNS } from '../item.ts'
import { B, FUSION_K, K1, MAX_WORD_MATCHES, RARITY } from './ranking.ts'
import { entriesOf, ENTRY_LENGTH, ENTRY_OCCURRENCES } from '../keyword/keyword-index.ts'

/** `pending` counts no further (contract §3). */
export const MAX_PENDING = 1_000

/** Which rankings take part: by words, by meaning or both. */
export interface Legs {
  words: boolean
  meaning: boolean
}

/**
 * The one statement of a search: ranks words, takes the vector hits, fuses, authorises, filters, counts. Parameters:
 * ?1 to ?8 of `ReadScope`, ?9 terms as JSON, ?10 `hitsJson`, ?11 weight of a
 * rank by meaning, ?12 how many of the hits are near enough or null for no threshold, ?13 rows wanted. `rank` says the
 * same in plain words. No row: the project is not to be seen; else one row at least, its item null where nothing
 * matched. `m` is the caller's membership, which `readable` asks for; cross joins fix the planner's order, and
 * `by_words` reads the ranked words in their order until it has enough that may be seen. Legs that are not asked for
 * are not there.
 */
export const searchSql = (where: string, legs: Legs): string => `
  with m as materialized (
    select p.id, p.code, m.role, max(coalesce(n.items, 0), 1) as items, max(coalesce(n.words, 0), 1) as words
    from projects p ${memberOfProject('?1')} left join project_words n on n.project_id = p.id
    where p.id = ?5 and p.tenant_id = ?2 and p.deleted_at is null
      and (?4 is null or exists (select 1 from json_each(?4) k where k.value ->> 'project_id' = p.id))),
  ${legs.words ? byWords(where) : ''}
  ${legs.meaning ? byMeaning(where) : ''}
  matches as materialized (
    select row, max(bm25) as bm25, max(word_rank) as word_rank, max(hit) as hit, max(vector_rank) as vector_rank,
      coalesce(1.0 / (${FUSION_K} + max(word_rank)), 0) + ?11 * coalesce(1.0 / (${FUSION_K} + max(vector_rank)), 0) as score,
      (?12 is null or max(hit) < ?12) as near_enough
    from (${[...(legs.words ? [WORD_RANKS] : []), ...(legs.meaning ? [VECTOR_RANKS] : [])].join(' union all ')})
    group by row),
  best as materialized (
    select * from matches where near_enough order by score desc, row desc limit ?13)
  select n.total, n.meant, n.best_bm25,
    (select count(*) from (
      select 1 from memory_items i indexed by memory_items_unembedded
      where i.embedding_status in ('pending', 'processing') and i.deleted_at is null and ${where}
      limit ${MAX_PENDING})) as pending,
    b.score, b.bm25, b.word_rank, b.hit, b.vector_rank, ${ITEM_COLUMNS}
  from m cross join (
      select coalesce(sum(near_enough), 0) as total, count(hit) as meant, max(bm25) as best_bm25 from matches) n
    left join best b left join memory_items i on i.row = b.row
  order by b.score desc, b.row desc`

const byWords = (where: string): string => `
  terms as materialized (
    select m.code, t.value as term, cast(m.items as real) / m.words as inverse_average, (
      select pow(ln(1 + (max(m.items, count(*)) - count(*) + 0.5) / (count(*) + 0.5)), ${RARITY})
      from memory_words_instances v where ${entriesOf('m.code', 't.value')}) as rarity
    from m cross join json_each(?9) t),
  ranked as materialized (
    select row, round(sum(rarity * tf * ${K1 + 1} / (tf + ${K1 * (1 - B)} + ${K1 * B} * length * inverse_average)), 6) as bm25
    from (
      select v.doc as row, t.rarity, t.inverse_average, ${ENTRY_OCCURRENCES} as tf, ${ENTRY_LENGTH} as length
      from terms t cross join memory_words_instances v on ${entriesOf('t.code', 't.term')})
    group by row order by bm25 desc, row desc),
  by_words as materialized (
    select r.row, r.bm25 from m cross join ranked r cross join memory_items i on i.row = r.row
    where ${where} limit ${MAX_WORD_MATCHES}),`

const WORD_RANKS = `
  select row, bm25, row_number() over (order by bm25 desc, row desc) as word_rank, null as hit, null as vector_rank
  from by_words`

/** Hits by meaning, best first, each `item:version`, with the item's row in front where it is known: `731mem_…:2`. */
export const hitsJson = (hits: readonly VectorHit[]): string =>
  JSON.stringify(hits.map(({ row, item, version }) => `${row ?? ''}${item}:${version}`))

const byMeaning = (where: string): string => `
  by_meaning as materialized (
    select i.row, h.key as hit
    from m cross join json_each(?10) h cross join memory_items i on i.row = iif(cast(h.value as integer) > 0,
      cast(h.value as integer), (select x.row from memory_items x where x.id = substr(h.value, 1, instr(h.value, ':') - 1)))
    where (h.value = i.row || i.id || ':' || i.embedded_version or h.value = i.id || ':' || i.embedded_version)
      and ${where}),`

const VECTOR_RANKS = `
  select row, null as bm25, null as word_rank, hit, row_number() over (order by hit) as vector_rank from by_meaning`
