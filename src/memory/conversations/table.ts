import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { memory_items } from '../table.ts'

/**
 * What identifies the messages of a conversation: one row for each item that is a turn. Triggers erase the row with the
 * tombstone of its item, and keep `memory_conversations`.
 */
export const memory_turns = sqliteTable(
  'memory_turns',
  {
    item_row: integer()
      .primaryKey()
      .references(() => memory_items.row, { onDelete: 'cascade' }),
    project_id: text().notNull(),
    namespace: text().notNull(),
    conversation_id: text().notNull(),
    /** `i:` and the id of the message, `t:` and a digest, or `n:` and an id of its own (`turn.ts`). */
    message_key: text().notNull(),
    /** A long message is several turns, counted from 0. */
    part: integer().notNull(),
  },
  (t) => [uniqueIndex('memory_turns_by_key').on(t.project_id, t.namespace, t.conversation_id, t.message_key, t.part)],
)

/** The conversations that have a turn. */
export const memory_conversations = sqliteTable(
  'memory_conversations',
  {
    project_id: text().notNull(),
    namespace: text().notNull(),
    conversation_id: text().notNull(),
    /** The row of the newest item that became a turn of it. It rises with each, and no two conversations share one. */
    version: integer().notNull(),
    /** The latest occurrence of a turn that it has, or had. */
    last_at: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.project_id, t.namespace, t.conversation_id] }),
    index('memory_conversations_by_time').on(t.project_id, t.last_at, t.namespace, t.conversation_id),
    index('memory_conversations_by_namespace').on(t.project_id, t.namespace, t.last_at, t.conversation_id),
  ],
)
