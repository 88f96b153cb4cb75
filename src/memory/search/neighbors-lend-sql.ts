import type { ReadScope } from '../filter/read-scope.ts'
import { beside, neighbor, TURNS_LOOKED_AT } from './neighbors-sql.ts'

/** A result gains this share of its better neighbour's score. */
export const LENT_SHARE = 0.3
/** The best results, whose neighbours become results too. */
export const LENDERS = 10

const upToNext = (scope: ReadScope): string =>
  beside(scope, 'after', { upTo: 'and (x.occurrence, x.id) < (t.next_occurrence, t.next_id)' })

const IN_TURN = 'partition by conversation_id, namespace order by occurrence, id'

/** Results with their rank, and with the next result of their conversation. */
const TURNS = `
  select *, lead(score) over turn as next_score, lead(occurrence) over turn as next_occurrence, lead(id) over turn as next_id
  from (
    select s.*, i.conversation_id, i.namespace, i.occurrence, i.id,
      row_number() over (order by s.passes desc, s.score desc, s.row desc) as place
    from m cross join scored s
      left join memory_items i on m.has_conversations and s.passes and i.row = s.row and i.conversation_id is not null)
  window turn as (${IN_TURN})`

/** Two results are neighbours where no readable item stands between them. Rows are read only to see that. */
const linked = (scope: ReadScope): string => `
  select *, coalesce(lag(to_next) over turn, 0) as to_previous, lag(score) over turn as previous_score
  from (
    select t.*, t.next_id is not null and not exists (select 1 from (${upToNext(scope)}) y where y.seen)
      and (select count(*) from (${upToNext(scope)})) < ${TURNS_LOOKED_AT} as to_next
    from m cross join (${TURNS}) t)
  window turn as (${IN_TURN})`

/** Each result (side 0), and the other items beside the best ones (sides -1 and 1), which are none where `:threshold` asks for a cosine. */
const withSides = (scope: ReadScope): string => `
  select t.*, o.side,
    case o.side when 0 then t.row when 1 then ${neighbor(scope, 'after')} else ${neighbor(scope, 'before')} end as found_row,
    ${LENT_SHARE} * case o.side when 0 then max(iif(t.to_next, t.next_score, 0), iif(t.to_previous, t.previous_score, 0))
      else t.score end as gain
  from m cross join (${linked(scope)}) t cross join (select 0 as side union all select 1 union all select -1) o
  where o.side = 0 or (:threshold is null and t.conversation_id is not null and t.place <= ${LENDERS}
    and not iif(o.side = 1, t.to_next, t.to_previous))`

/**
 * `scored` with the gains. A result gains a share of the better neighbour's score. A neighbour of one of the best
 * results that is no result of its own becomes one with the gain alone, if it passes the filters. The other columns of a
 * group are those of its row with the greatest `kind`: the result itself, else the greatest gain.
 */
export const lending = (scope: ReadScope): string => `
  select row, kind > 0 as passes, sum(kind > 0) over () as total, hits, gain, min(1, iif(side = 0, score, 0) + gain) as score,
    iif(side = 0, hit, null) as hit, iif(side = 0, has_terms, null) as has_terms, iif(side = 0, keyword, 0) as keyword, iif(side = 0, semantic, 0) as semantic, iif(side = 0, date, 0) as date,
    iif(side = 0, keyword_rank, null) as keyword_rank, iif(side = 0, semantic_rank, null) as semantic_rank
  from (
    select max(iif(f.side = 0, 3 * f.passes, 1 + f.gain)) as kind, f.found_row as row, f.side, f.hits, f.gain, f.score, f.hit,
      f.has_terms, f.keyword, f.semantic, f.date, f.keyword_rank, f.semantic_rank
    from m cross join (${withSides(scope)}) f
      left join memory_items i on f.side <> 0 and i.row = f.found_row and ${scope.sql}
    where f.side = 0 or i.row is not null
    group by f.found_row)`

/** The same columns where no neighbour lends. */
export const NOT_LENT = 'select *, 0 as gain from scored'
