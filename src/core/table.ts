import { integer, primaryKey, sqliteTable, text, index } from 'drizzle-orm/sqlite-core'

/** Idempotency keys (contract §1), kept 24 h. */
export const idempotency_keys = sqliteTable(
  'idempotency_keys',
  {
    tenant_id: text().notNull(),
    user_id: text().notNull(),
    path: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    /** The request that holds the key. */
    write_id: text().notNull(),
    /** null while the request runs. */
    status: integer(),
    resource: text(),
    created_at: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.user_id, t.path, t.key] }),
    index('idempotency_keys_by_age').on(t.created_at),
  ],
)

/** What each commit of a request did that holds an idempotency key, so that a retry goes on from there (contract §1). */
export const idempotency_progress = sqliteTable(
  'idempotency_progress',
  {
    tenant_id: text().notNull(),
    user_id: text().notNull(),
    path: text().notNull(),
    key: text().notNull(),
    /** Of the request: another body under the key starts over. */
    fingerprint: text().notNull(),
    commit_id: text().notNull(),
    /** JSON array of `DoneOperation`s. */
    operations: text().notNull(),
    created_at: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.user_id, t.path, t.key, t.fingerprint, t.commit_id] }),
    index('idempotency_progress_by_age').on(t.created_at),
  ],
)
