import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The changes of operators: an audit of its own, which no tenant sees. Each row commits with its change. */
export const operator_changes = sqliteTable(
  'operator_changes',
  {
    id: text().primaryKey(),
    /** The id of the operator's key. */
    operator: text().notNull(),
    request_id: text().notNull(),
    /** Whose limits: `deployment`, or the id of a tenant, a user or a key. */
    subject: text().notNull(),
    /** Null: of no tenant. */
    tenant_id: text(),
    /** JSON array of `{name, account_class, from, to}`. */
    changes: text().notNull(),
    created_at: integer().notNull(),
  },
  (t) => [
    index('operator_changes_by_age').on(t.created_at, t.id),
    index('operator_changes_by_subject').on(t.subject, t.created_at, t.id),
  ],
)
