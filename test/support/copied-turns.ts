import { db } from './world.ts'

const COPIES = `
  insert into memory_items (id, tenant_id, project_id, namespace, scope, conversation_id, role, text_hash, type, visibility,
    version, text_version, text_by, text_at, vector_version, write_id, embedding_status, next_attempt_at, created_by,
    updated_by, created_at, updated_at, tags, metadata, text, indexed_by, indexed_version)
  select i.id || '_' || n.key, i.tenant_id, i.project_id, i.namespace, i.scope, n.value, i.role, i.text_hash, i.type,
    i.visibility, 1, 1, i.text_by, i.text_at, 1, i.write_id, 'completed', i.next_attempt_at, i.created_by, i.updated_by,
    i.created_at - 1 - n.key, i.updated_at, '[]', '{}', 'copy', 2, 1
  from json_each(:conversations) n cross join memory_items i where i.id = :model`
const COPIED_TURNS = `
  insert into memory_turns (item_row, project_id, namespace, conversation_id, message_key, part)
  select row, project_id, namespace, conversation_id, 'n:' || id, 0 from memory_items
  where id glob :model || '_*' and row not in (select item_row from memory_turns)`

/** Copies a turn into each of the conversations, the latest copy first: many turns at the cost of one statement. */
export async function copyTurns(model: string, conversations: readonly string[]): Promise<void> {
  await db.write(COPIES, { model, conversations: JSON.stringify(conversations) })
  await db.write(COPIED_TURNS, { model })
}
