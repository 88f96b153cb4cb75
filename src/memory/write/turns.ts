import { member, stamped } from './commit-sql.ts'

export const INSERT_TURNS = `insert into memory_turns (item_row, project_id, namespace, conversation_id, message_key, part)
  ${stamped(`i.row, i.project_id, i.namespace, i.conversation_id, ${member('key')}, ${member('part')}`)} and i.delete_reason is null`
