import { membershipSql } from '../access.ts'
import { postingAt, postingsOfTerm, termCount, textLength } from '../keyword/keyword-index.ts'
import { HAS_CONVERSATIONS } from './neighbors-sql.ts'
import { B, K1, RARITY } from './ranking.ts'

/** The caller's membership, the counts that BM25 needs, and whether the project has conversations. */
export const MEMBERSHIP = membershipSql({
  columns: `, max(coalesce(n.items, 0), 1) as items, max(coalesce(n.words, 0), 1) as words,
    n.vectors_revision,
    ${HAS_CONVERSATIONS} as has_conversations`,
  joins: 'left join project_words n on n.project_id = p.id',
})

/** The terms of the query with their rarity in the project. A term that the project lacks is the rarest. */
export const TERMS = `
  terms as materialized (
    select m.code, t.value as term, ${postingAt('m.code', 't.value')} as posting_at, cast(m.items as real) / m.words as inverse_average, (
      select pow(ln(1 + (max(m.items, count(*)) - count(*) + 0.5) / (count(*) + 0.5)), ${RARITY})
      from memory_words_instances v where ${postingsOfTerm('m.code', 't.value')}) as rarity
    from m cross join json_each(:terms) t)`

/** SQL: the greatest BM25 that the terms could reach. A text comes near it where it is short and full of each of them. */
export const MOST_BM25 = `(select sum(rarity) * ${K1 + 1} from terms)`

/** A row for each text and term: the amount that the term adds to the BM25 of the text. */
export const OCCURRENCES = `
  select row, rarity * tf * ${K1 + 1} / (tf + ${K1 * (1 - B)} + ${K1 * B} * length * inverse_average) as bm25,
    null as hit, null as similarity, null as semantic
  from (
    select row, rarity, inverse_average, ${termCount('posting')} as tf, ${textLength('posting')} as length
    from (
      select v.doc as row, t.rarity, t.inverse_average, cast(substr(v.term, t.posting_at) as integer) as posting
      from terms t cross join memory_words_instances v on ${postingsOfTerm('t.code', 't.term')} limit -1))`
