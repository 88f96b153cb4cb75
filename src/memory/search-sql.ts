import { memberOfProject } from '../identity/index.ts'
import { ITEM_COLUMNS } from './item.ts'
import { B, FUSION_K, K1, MAX_WORD_MATCHES, RARITY } from './rank.ts'
import { codePrefix } from './word-index.ts'

/** `pending` counts no further (contract §3). */
export const MAX_PENDING = 1_000

/**
 * The one statement of a search: ranks words, takes the vector hits, fuses, authorises, filters, counts. Parameters:
 * ?1 to ?8 of `ReadScope`, ?9 terms and ?10 vector hits (best first) as JSON, ?11 weight of a rank by meaning,
 * ?12 least similarity or null, ?13 rows wanted. `rank` says the same in plain words. Whatever is not to be seen leaves
 * before anything is counted. No row: the project is not to be seen; else one row at least, its item null where
 * nothing matched. `m` is the caller's membership, which `readable` asks for; cross joins fix the planner's order.
 */
export const searchSql = (where: string): string => `
  with m as materialized (
    select p.id, p.code, m.role, coalesce(n.items, 0) as items, max(coalesce(n.words, 0), 1) as words
    from projects p ${memberOfProject('?1')} left join project_words n on n.project_id = p.id
    where p.id = ?5 and p.tenant_id = ?2 and p.deleted_at is null
      and (?4 is null or exists (select 1 from json_each(?4) k where k.value ->> 'project_id' = p.id))),
  occurrences as materialized (
    select t.key as term, v.doc as row, count(*) as tf
    from m cross join json_each(?9) t cross join memory_words_instances v on v.term = ${codePrefix('m.code')} || t.value
    group by t.key, v.doc),
  texts as materialized (
    select o.term, o.row, o.tf * ${K1 + 1} / (o.tf + ${K1} * (${1 - B} + ${B} * i.word_count * m.items / m.words)) as weight,
      m.items, count(*) over (partition by o.term) as df
    from m cross join occurrences o cross join memory_items i on i.row = o.row
    where ${where}),
  by_words as materialized (
    select row, sum(weight * pow(ln(1 + (max(items, df) - df + 0.5) / (df + 0.5)), ${RARITY})) as bm25
    from texts group by row order by bm25 desc, row desc limit ${MAX_WORD_MATCHES}),
  by_meaning as materialized (
    select i.row, h.key, h.value ->> 'similarity' as similarity, h.value ->> 'chunk' as chunk
    from m cross join json_each(?10) h cross join memory_items i on i.id = h.value ->> 'item'
    where i.embedded_version = h.value ->> 'version' and ${where}),
  matches as materialized (
    select row, max(bm25) as bm25, max(word_rank) as word_rank, max(similarity) as similarity, max(chunk) as chunk,
      max(vector_rank) as vector_rank,
      coalesce(1.0 / (${FUSION_K} + max(word_rank)), 0) + ?11 * coalesce(1.0 / (${FUSION_K} + max(vector_rank)), 0) as score
    from (
      select row, bm25, row_number() over (order by bm25 desc, row desc) as word_rank, null as similarity,
        null as chunk, null as vector_rank from by_words
      union all
      select row, null, null, similarity, chunk, row_number() over (order by key) from by_meaning)
    group by row having ?12 is null or max(similarity) >= ?12),
  best as materialized (select * from matches order by score desc, row desc limit ?13)
  select (select count(*) from matches) as total, (select count(*) from by_meaning) as meant,
    (select max(bm25) from by_words) as best_bm25,
    (select count(*) from (
      select 1 from memory_items i
      where i.embedding_status in ('pending', 'processing') and i.deleted_at is null and ${where}
      limit ${MAX_PENDING})) as pending,
    b.score, b.bm25, b.word_rank, b.similarity, b.chunk, b.vector_rank, ${ITEM_COLUMNS}
  from m left join best b left join memory_items i on i.row = b.row
  order by b.score desc, b.row desc`
