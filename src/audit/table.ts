import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Rows of writes, committed with their change, until a mover stores them in the audit database (architecture §6). */
export const audit_outbox = sqliteTable(
  'audit_outbox',
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    /** JSON of one AuditRow. */
    row: text().notNull(),
    /** The page that a mover claimed the row for; `failed:` and that page after its move failed. */
    page_id: text(),
    created_at: integer().notNull(),
  },
  (t) => [index('audit_outbox_by_page').on(t.page_id, t.created_at)],
)
