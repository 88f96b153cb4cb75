import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { memory_items } from '../table.ts'

/** Other users who may read or write a private item. */
export const memory_grants = sqliteTable(
  'memory_grants',
  {
    item_row: integer()
      .notNull()
      .references(() => memory_items.row, { onDelete: 'cascade' }),
    user_id: text().notNull(),
    access: text({ enum: ['read', 'write'] }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.item_row, t.user_id] }), index('memory_grants_by_user').on(t.user_id)],
)

/** Earlier texts of an item: the last 50. */
export const memory_versions = sqliteTable(
  'memory_versions',
  {
    item_row: integer()
      .notNull()
      .references(() => memory_items.row, { onDelete: 'cascade' }),
    /** The version in which this text came. */
    version: integer().notNull(),
    text: text().notNull(),
    /** The author of this text, and the time. */
    written_by: text().notNull(),
    written_at: integer().notNull(),
    /** What wrote this text; null: unknown. */
    written_via: text(),
  },
  (t) => [primaryKey({ columns: [t.item_row, t.version] })],
)
