/** Items that are the message of a store. `held`: SQL of what an item must be to hold its names. */
export const byTurn = (held: string): string => `
  select i.row, 1 as named from json_each(:turns) e cross join memory_turns t on t.project_id = e.value ->> 0
  and t.namespace = e.value ->> 1 and t.conversation_id = e.value ->> 2 and t.message_key >= e.value ->> 3
  and t.message_key < e.value ->> 4 and t.part = e.value ->> 5
  cross join memory_items i on i.row = t.item_row and ${held}`

/** What identifies the turn `i`, as JSON; null for a note. */
export const TURN_OF_ITEM = `iif(i.role is null, null,
  (select json_object('key', t.message_key, 'part', t.part) from memory_turns t where t.item_row = i.row))`

const member = (name: string): string => `e.value ->> '${name}'`
const isOfConversation = (row: string): string => `${row}.project_id = p.id
  and ${row}.namespace = ${member('namespace')} and ${row}.conversation_id = ${member('conversation_id')}`

/** A new row of the JSON is no turn, or no other request has stored its message, or any of its conversation since the plan. */
export const IS_NEW_TURN = `(${member('turn_key')} is null or (
  not exists (select 1 from memory_turns t where ${isOfConversation('t')}
    and t.message_key = ${member('turn_key')} and t.part = ${member('turn_part')})
  and (${member('turn_new_at')} is null or ${member('turn_new_at')} =
    coalesce((select c.version from memory_conversations c where ${isOfConversation('c')}), 0))))`
