import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tenants } from '../../auth/table.ts'

export const ERASURE_KINDS = ['namespace', 'subject'] as const
export type ErasureKind = (typeof ERASURE_KINDS)[number]

export const ERASURE_STATUSES = ['running', 'erased', 'completed'] as const

/** Erasures of all that is stored under a name. While one runs, its row keeps writes out; later it is the receipt. */
export const erasures = sqliteTable(
  'erasures',
  {
    id: text().primaryKey(),
    tenant_id: text()
      .notNull()
      .references(() => tenants.id),
    kind: text({ enum: ERASURE_KINDS }).notNull(),
    /** What is erased; null from `erased_at` on. */
    name: text(),
    /** HMAC of the name, with the id of its key (`name-hmac.ts`). */
    name_hmac: text().notNull(),
    /** JSON array of the projects that it covers. */
    project_ids: text().notNull(),
    /** 1: these were all projects of the tenant. */
    whole_tenant: integer().notNull(),
    status: text({ enum: ERASURE_STATUSES }).notNull(),
    requested_by: text().notNull(),
    requested_at: integer().notNull(),
    items: integer().notNull().default(0),
    /** Of these items, those that were retired. */
    retired: integer().notNull().default(0),
    versions: integer().notNull().default(0),
    vectors: integer().notNull().default(0),
    events: integer().notNull().default(0),
    deliveries: integer().notNull().default(0),
    /** Over the ids of the items so far (`digest.ts`). */
    digest: text().notNull(),
    /** When no item was left. Their tombstones are older. */
    emptied_at: integer(),
    /** JSON of `{key_ids, subscription_ids}`, which name what was erased and stay. */
    kept: text(),
    /** No answer, row or vector holds what was erased. */
    erased_at: integer(),
    rewrite_begun_at: integer(),
    /** JSON array of the segments of the keyword index that may still hold words of it. */
    segments: text(),
    index_rewritten_at: integer(),
    /** When the receipt was last put into the audit bucket; null: it is not there as it is now. */
    stored_at: integer(),
  },
  (t) => [
    index('erasures_running')
      .on(t.tenant_id)
      .where(sql`status = 'running'`),
    index('erasures_by_tenant').on(t.tenant_id, t.requested_at, t.id),
    index('erasures_to_rewrite')
      .on(t.erased_at)
      .where(sql`status = 'erased'`),
    index('erasures_to_store')
      .on(t.erased_at)
      .where(sql`erased_at is not null and stored_at is null`),
    index('erasures_by_rewrite')
      .on(t.rewrite_begun_at)
      .where(sql`rewrite_begun_at is not null`),
  ],
)

/** The conversations of erased items, while their erasure runs: their events are erased where no item is left. */
export const erasure_conversations = sqliteTable(
  'erasure_conversations',
  {
    erasure_id: text().notNull(),
    project_id: text().notNull(),
    conversation_id: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.erasure_id, t.project_id, t.conversation_id] })],
)

/** Runs of `npm run erase-again` and what they did. */
export const erasure_repeats = sqliteTable('erasure_repeats', {
  started_at: integer().primaryKey(),
  /** The last key of the bucket that was looked at. */
  after_key: text().notNull().default(''),
  finished_at: integer(),
  receipts: integer().notNull().default(0),
  /** Erasures that run again, since something of theirs is there. */
  repeated: integer().notNull().default(0),
  /** Receipts that the database lacked and that nothing is there of. */
  restored: integer().notNull().default(0),
  /** Receipts whose name no key of the service tells, or that are damaged. */
  unreadable: integer().notNull().default(0),
})
