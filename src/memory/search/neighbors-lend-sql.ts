import type { ReadScope } from '../filter/read-scope.ts'
import { ONCE } from './ranking.ts'
import { TURN_COLUMNS } from './score-sql.ts'
import { beside, TURNS_LOOKED_AT, type Side } from './neighbors-sql.ts'

/** The shares of its score that a result lends to the next, second and third item on each side of it. */
const NEXT_SHARE = 0.5
const SECOND_SHARE = 0.4
const THIRD_SHARE = 0.3
export const LENT_SHARES = [NEXT_SHARE, SECOND_SHARE, THIRD_SHARE] as const
const FARTHEST = LENT_SHARES.length
/** The best results, whose neighbours become results too. */
export const LENDERS = 10

/** SQL: the share of a score that is lent over a distance. */
const shareAt = (distance: string): string =>
  `case ${distance} ${LENT_SHARES.map((share, at) => `when ${at + 1} then ${share}`).join(' ')} else 0 end`

const IN_TURN = TURN_COLUMNS.join(', ')

/** The columns that each step below keeps of a row. */
const kept = (told: readonly string[]): string =>
  ['row', 'passes', 'hits', 'score', ...told, 'place', ...TURN_COLUMNS].join(', ')

/** Results with their rank, and with the next result of their conversation. Other candidates have no conversation. */
const turns = (told: readonly string[], rank: string): string => `
  select ${kept(told)}, lead(occurrence) over turn as next_occurrence, lead(id) over turn as next_id
  from (
    select row, passes, hits, score, ${told.join(', ')}, iif(passes, conversation_id, null) as conversation_id, namespace, occurrence, id,
      row_number() over (order by passes desc, ${rank} desc, row desc) as place
    from scored)
  window turn as (partition by conversation_id, namespace order by occurrence, id)`

/** A step is two distances in one number: in rows, and this many times that in readable items. Steps add up. */
const UNIT = 64
const TOO_FAR = (FARTHEST + 1) * UNIT

const upToNext = (scope: ReadScope, isRead: boolean): string =>
  beside(scope, 'after', { upTo: 'and (x.occurrence, x.id) < (t.next_occurrence, t.next_id)', isRead })

/** SQL: the step to the next result. It is too far with three readable items between the two, and no further one is read. */
const step = (scope: ReadScope): string => `
  iif(t.next_id is null or t.conversation_id is null, ${TOO_FAR}, ${UNIT + 1} + (select count(*) from (${upToNext(scope, false)}))
    + ${UNIT} * (select count(*) from (select 1 from (${upToNext(scope, true)}) y where y.seen limit ${FARTHEST})))`

const PLACES = LENT_SHARES.map((_, at) => at + 1)

/** SQL: the step to the result that stands this many results on. */
const stepTo = (results: number): string =>
  PLACES.slice(0, results)
    .map((at) => `step_${at}`)
    .join(' + ')

/** SQL: the share that is lent over a step; 0 where it is too far. */
const shareOver = (steps: string): string =>
  `iif((${steps}) % ${UNIT} > ${TURNS_LOOKED_AT}, 0, ${shareAt(`(${steps}) / ${UNIT}`)})`

/**
 * Results with the best that other results lend them, and whether all of their neighbours behind them are results. The rows
 * of `stepped` are in the order of their turns, and no step leads out of a conversation, so the windows need neither sort nor parts.
 */
const linked = (told: readonly string[]): string => `
  select ${kept(told)}, is_full, max(${PLACES.flatMap((at) => [`coalesce(share_${at} * lead(score, ${at}) over (), 0)`, `coalesce(lag(share_${at} * score, ${at}) over (), 0)`]).join(', ')}) as lent
  from (
    select ${kept(told)}, ${PLACES.map((at) => `${shareOver(stepTo(at))} as share_${at}`).join(', ')}, (${stepTo(FARTHEST)}) / ${UNIT} = ${FARTHEST} as is_full
    from (
      select *, ${PLACES.slice(1)
        .map((at) => `coalesce(lead(step_1, ${at - 1}) over (), ${TOO_FAR}) as step_${at}`)
        .join(', ')}
      from stepped) ${ONCE})`

/** A statement with filters, which may be deep, names it before all else that reads `linked`, for the reason that `leftOut` gives. */
export const LINKED_FIRST = 'select count(*) from linked'

/** JSON: the readable items on one side, nearest first. */
const neighborsOn = (scope: ReadScope, side: Side): string =>
  `json((select json_group_array(y.row) from (select y.row from (${beside(scope, side)}) y where y.seen limit ${FARTHEST}) y))`

/** Each result (distance 0), and the items beside the best ones, none where `:threshold` asks for a cosine. */
const withNeighbors = (scope: ReadScope): string => `
  select t.*, n.atom as found_row, iif(n.path = '$', 0, n.key + 1) as distance
  from m cross join linked t
    cross join json_tree(iif(:threshold is null and t.conversation_id is not null and t.place <= ${LENDERS},
      json_array(t.row, ${neighborsOn(scope, 'before')}, iif(t.is_full, null, ${neighborsOn(scope, 'after')})), json_array(t.row))) n
  where n.atom is not null`

const COUNTS_FROM_ZERO = ['keyword', 'semantic', 'speaker_gain', 'date']

/** SQL: a column of a result. An item that only its neighbours found has none of it. */
const ofResult = (column: string): string =>
  `iif(distance = 0, ${column}, ${COUNTS_FROM_ZERO.includes(column) ? '0' : 'null'}) as ${column}`

/**
 * `lent` is `scored` with the gains. A result gains the greatest share that is lent to it. A neighbour of one of the best
 * results by `rank` that is no result of its own becomes one with the gain alone, if it passes the filters. The other columns
 * of a group are those of its row with the greatest `kind`: the result itself, else the greatest gain.
 */
export const lending = (scope: ReadScope, told: readonly string[], rank: string): string => `
  stepped as materialized (select t.*, ${step(scope)} as step_1 from m cross join (${turns(told, rank)}) t order by ${IN_TURN} ${ONCE}),
  linked as materialized (${linked(told)}),
  lent as materialized (select row, kind > 0 as passes, sum(kind > 0) over () as total, hits, gain, min(1, iif(distance = 0, score, 0) + gain) as score,
    ${told.map(ofResult).join(', ')}
  from (
    select max(iif(f.distance = 0, 3 * f.passes, 1 + f.gain)) as kind, f.found_row as row, f.distance, f.hits, f.gain, f.score,
      ${told.map((column) => `f.${column}`).join(', ')}
    from m cross join (
        select *, iif(distance = 0, lent, ${shareAt('distance')} * score) as gain from (${withNeighbors(scope)})) f
      left join memory_items i on f.distance <> 0 and i.row = f.found_row and ${scope.sql}
    where f.distance = 0 or i.row is not null
    group by f.found_row))`

/** The same columns where no neighbour lends. */
export const NOT_LENT = 'lent as (select *, 0 as gain from scored)'
