import type { Principal } from '../../core/context.ts'
import { alive, membershipSql, readableBy, retired } from '../access.ts'
import type { ItemStatus } from '../table.ts'

/** Turns of one conversation are counted up to this number. */
export const MAX_COUNTED_TURNS = 1_000
/** Conversations that one page looks at, since the turns of any number of them may be hidden from the caller. */
const MAX_PAGE_CONVERSATIONS = 1_000
/** A page looks at no further conversation after this many turns. */
const MAX_EXAMINED_TURNS = 20_000

/** A conversation that is shown, or the last one that the page looked at. */
export interface ConversationRow {
  /** When its last turn occurred, also one that the caller cannot read. */
  at: number
  namespace: string
  conversation_id: string
  /** Its place among those that the page looks at, and turns of those before. */
  n: number
  before: number
  /** Turns looked at, up to one more than are counted, and those that the caller may read. */
  looked_at: number
  turns: number
  /** Of the first of them, and when the last of them occurred. */
  first_at: number
  subject: string | null
  text: string
  last_at: number
}

/** Whether the page looked at no conversation behind this one. */
export const isLastLookedAt = ({ n, before }: Pick<ConversationRow, 'n' | 'before'>): boolean =>
  n === MAX_PAGE_CONVERSATIONS || before >= MAX_EXAMINED_TURNS

/** The first line of a turn is looked for in this many characters. */
const MAX_LINE_SEARCHED = 1_000

/** SQL: turns of a status, the index that has them in order, and which of them live. */
const OF_STATUS: Record<ItemStatus, { index: string; where: string; lives: string }> = {
  current: { index: 'memory_items_by_turn', where: 'i.deleted_at is null', lives: alive() },
  retired: { index: 'memory_items_retired_turns', where: 'i.retired_at is not null', lives: retired() },
}

interface After {
  at: string
  namespace: string
  id: string
}

/** SQL: the conversation of the project `m` behind a position, as JSON: one look into an index. */
function nextConversation({ at, namespace, id }: After, isOneNamespace: boolean): string {
  const next = isOneNamespace
    ? {
        index: 'memory_conversations_by_namespace',
        where: 'c.namespace = :namespace and (c.last_at, c.conversation_id)',
        after: `(${at}, ${id})`,
        order: 'c.last_at desc, c.conversation_id desc',
      }
    : {
        index: 'memory_conversations_by_time',
        where: '(c.last_at, c.namespace, c.conversation_id)',
        after: `(${at}, ${namespace}, ${id})`,
        order: 'c.last_at desc, c.namespace desc, c.conversation_id desc',
      }
  return `(select json_array(c.last_at, c.namespace, c.conversation_id) from memory_conversations c indexed by ${next.index}
    where c.project_id = m.id and ${next.where} < ${next.after} order by ${next.order} limit 1)`
}

/** It makes each instant of the years 0 to 9999 a positive number of 16 digits. */
const SHIFT = 10 ** 15
const INSTANT_DIGITS = 16

/** SQL: the place of a turn in its conversation as a text; null where the caller may not read it. */
const placeOf = (readable: string): string =>
  `iif(${readable}, printf('%0${INSTANT_DIGITS}d', i.occurrence + ${SHIFT}) || i.id, null) as place`
const instantOf = (place: string): string => `(substr(${place}, 1, ${INSTANT_DIGITS}) - ${SHIFT})`
const idOf = (place: string): string => `substr(${place}, ${INSTANT_DIGITS + 1})`

/** SQL: the first or the last readable turn of a conversation, looked for among as many items at its end as are counted. */
function endOf(principal: Principal, statuses: readonly ItemStatus[], end: 'min' | 'max'): string {
  const direction = end === 'min' ? 'asc' : 'desc'
  const parts = statuses.map((status) => {
    const { index, where, lives } = OF_STATUS[status]
    return `select * from (select place from (
      select ${placeOf(`i.role is not null and ${lives} and ${readableBy(principal)}`)} from memory_items i indexed by ${index}
      where i.project_id = m.id and i.conversation_id = own.conversation_id and i.namespace = own.namespace and ${where}
      order by i.occurrence ${direction}, i.id ${direction} limit ${MAX_COUNTED_TURNS + 1})
      where place is not null limit 1)`
  })
  return `(select ${end}(place) from (${parts.join(' union all ')}))`
}

/** SQL: the turns `t` of a conversation. */
const ofConversation = ({ namespace, id }: Omit<After, 'at'>): string =>
  `t.project_id = m.id and t.namespace = ${namespace} and t.conversation_id = ${id}`

/**
 * SQLite makes the next conversation when it has looked at the last, so a page of few reads few. `limit -1` keeps it from
 * copying a look at the turns into each place that reads the result.
 */
export function conversationsSql(
  principal: Principal,
  statuses: readonly ItemStatus[],
  { isOneNamespace }: { isOneNamespace: boolean },
): string {
  const start = { at: ':after_at', namespace: ':after_namespace', id: ':after_id' }
  const last = { at: 'seen.place ->> 0', namespace: 'seen.place ->> 1', id: 'seen.place ->> 2' }
  const lives = statuses.map((status) => `(${OF_STATUS[status].where} and ${OF_STATUS[status].lives})`).join(' or ')
  const own = ofConversation({ namespace: 'own.namespace', id: 'own.conversation_id' })
  const isCut = `look ->> 0 > ${MAX_COUNTED_TURNS}`
  return `
  with recursive m as materialized (${membershipSql()}),
  seen(place, n, before) as (
    select ${nextConversation(start, isOneNamespace)}, 1, 0 from m
    union all
    select ${nextConversation(last, isOneNamespace)}, n + 1,
      before + (select count(*) from (select 1 from memory_turns t where ${ofConversation(last)} limit ${MAX_COUNTED_TURNS + 1}))
    from seen cross join m
    where seen.place is not null and n < ${MAX_PAGE_CONVERSATIONS} and before < ${MAX_EXAMINED_TURNS}),
  own as (
    select place ->> 0 as at, place ->> 1 as namespace, place ->> 2 as conversation_id, n, before
    from seen where place is not null limit -1),
  looked as (
    select own.*, (
      select json_array(count(*), count(place), min(place), max(place)) from (
        select ${placeOf(`(${lives}) and ${readableBy(principal)}`)}
        from memory_turns t cross join memory_items i on i.row = t.item_row where ${own} limit ${MAX_COUNTED_TURNS + 1})) as look
    from own cross join m limit -1),
  ends as (
    select own.*, iif(${isCut}, ${endOf(principal, statuses, 'min')}, null) as oldest,
      iif(${isCut}, ${endOf(principal, statuses, 'max')}, null) as newest
    from looked own cross join m limit -1),
  shown as (
    select at, namespace, conversation_id, n, before, look ->> 0 as looked_at, look ->> 1 as readable,
      coalesce(oldest, look ->> 2, newest) as first, coalesce(newest, look ->> 3, oldest) as last
    from ends limit -1)
  select at, shown.namespace, shown.conversation_id, n, before, looked_at, max(readable, first is not null) as turns,
    ${instantOf('first')} as first_at, i.subject, substr(i.text, 1, ${MAX_LINE_SEARCHED}) as text, ${instantOf('last')} as last_at
  from shown left join memory_items i on i.id = ${idOf('first')}
  where first is not null or n = ${MAX_PAGE_CONVERSATIONS} or before >= ${MAX_EXAMINED_TURNS} limit :rows`
}
