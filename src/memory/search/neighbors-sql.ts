import type { TurnRole } from '../../core/values/items.ts'
import type { ReadScope } from '../filter/read-scope.ts'

/** Rows of a conversation that are looked at on each side of a result. */
export const TURNS_LOOKED_AT = 8

/**
 * Neighbours of an item: the next one before and after it in its conversation, in order of occurrence, that lives and that
 * the caller may read. Some rows on each side are looked at, so that dead and hidden ones cost no more than that.
 */
export type Side = 'before' | 'after'
const ORDER = { before: ['<', 'desc'], after: ['>', 'asc'] } as const

/** SQL: true where any item of the project `p` has a conversation. */
export const HAS_CONVERSATIONS = `exists (select 1 from memory_items x indexed by memory_items_by_turn
  where x.project_id = p.id and x.conversation_id is not null and x.deleted_at is null)`

/**
 * Rows `x` beside the item `of`, nearest first. `seen`: an item that the caller may read; `m` is the membership. With a plus
 * the index bounds the id too, so that items of one instant are not walked through.
 */
export const beside = ({ readable }: ReadScope, side: Side, { of = 't', upTo = '', isRead = true } = {}): string => {
  const [behind, direction] = ORDER[side]
  return `
    select x.row${isRead ? `, ${readable('x')} as seen` : ''} from memory_items x indexed by memory_items_by_turn
    where x.project_id = :project and x.conversation_id = ${of}.conversation_id and x.namespace = ${of}.namespace
      and x.deleted_at is null and (x.occurrence, x.id) ${behind} (+${of}.occurrence, +${of}.id) ${upTo}
    order by x.occurrence ${direction}, x.id ${direction} limit ${TURNS_LOOKED_AT}`
}

/** A neighbour of a result on the wire, as `around` writes it. */
export type AroundJson = [
  id: string,
  text: string,
  occurredAt: number | null,
  createdAt: number,
  role: TurnRole | null,
  speaker: string | null,
]

/** Characters of a neighbour's text that an answer shows: a result may have ten neighbours. */
export const MAX_NEIGHBOR_CHARACTERS = 2_000

/** SQL: up to `:neighbors` items on one side of the result `i`, nearest first, as JSON of `AroundJson`. */
export const around = (scope: ReadScope, side: Side): string => `(
  select json_group_array(json_array(z.id, substr(z.text, 1, ${MAX_NEIGHBOR_CHARACTERS + 1}), z.occurred_at, z.created_at, z.role, z.speaker))
  from (select y.row from (${beside(scope, side, { of: 'i' })}) y where y.seen limit :neighbors) y
    cross join memory_items z on z.row = y.row)`
