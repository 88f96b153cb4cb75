import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ITEM_KINDS, ITEM_SCOPES, TURN_ROLES } from '../core/values/items.ts'
import { tenants } from '../auth/table.ts'
import { projects } from '../identity/table.ts'

/** Instants are milliseconds since 1970; JSON columns hold text. Why each index is there: docs/storage.md. */

export const EMBEDDING_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const
export type EmbeddingStatus = (typeof EMBEDDING_STATUSES)[number]

export const VISIBILITIES = ['project', 'private'] as const
export type Visibility = (typeof VISIBILITIES)[number]

export const ITEM_STATUSES = ['current', 'retired'] as const
export type ItemStatus = (typeof ITEM_STATUSES)[number]

export const DELETE_REASONS = ['deleted', 'expired', 'project_deleted', 'user_deleted', 'erased'] as const
export type DeleteReason = (typeof DELETE_REASONS)[number]

/** `vectors_purged_at` of a retired item, so that a version of the service from before retirement never erases one. */
export const NEVER_ERASED = Number.MAX_SAFE_INTEGER

export const memory_items = sqliteTable(
  'memory_items',
  {
    /** Key of the keyword index, the tags, the grants and the versions. */
    row: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    tenant_id: text()
      .notNull()
      .references(() => tenants.id),
    project_id: text()
      .notNull()
      .references(() => projects.id),
    namespace: text().notNull(),
    scope: text({ enum: ITEM_SCOPES }).notNull(),
    conversation_id: text(),
    document_id: text(),
    session_id: text(),
    /** Finds equal texts in the same project and namespace; the texts themselves are then compared. */
    text_hash: text().notNull(),
    /** Words of the text in the keyword index. */
    word_count: integer().notNull().default(0),
    /** Media type. */
    type: text().notNull(),
    /** Seconds, as the client sent them; `expires_at` decides. */
    ttl: integer(),
    expires_at: integer(),
    custom_id: text(),
    visibility: text({ enum: VISIBILITIES }).notNull(),
    /** Rises by 1 with each client change. */
    version: integer().notNull(),
    /** The version in which the current text came, its author, and the time. */
    text_version: integer().notNull(),
    text_by: text().notNull(),
    text_at: integer().notNull(),
    /** The last version that changed text, namespace or visibility, and with them the vectors, which carry its number. */
    vector_version: integer().notNull(),
    /** Stamp of the commit that wrote the row last. Later statements of its batch select by it. */
    write_id: text().notNull(),
    embedding_status: text({ enum: EMBEDDING_STATUSES }).notNull().default('pending'),
    embedding_model: text(),
    embedding_dimension: integer(),
    embedding_error: text(),
    /** The `vector_version` whose vectors a search uses; null: none yet. */
    embedded_version: integer(),
    /** Number of vectors of `embedded_version`, one for each chunk. */
    chunk_count: integer().notNull().default(0),
    attempts: integer().notNull().default(0),
    lease_id: text(),
    lease_until: integer(),
    /** The sweep sends the item to the embed queue again from this time on. */
    next_attempt_at: integer().notNull(),
    created_by: text().notNull(),
    updated_by: text().notNull(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    /** Null: the item is current. With `retired_at` it is retired; alone it makes the row a tombstone, which no answer shows. */
    deleted_at: integer(),
    delete_reason: text({ enum: DELETE_REASONS }),
    /** When the vectors of a tombstone were deleted for the first time. A retired item has `NEVER_ERASED`. */
    vectors_purged_at: integer(),
    // The wide columns stand last, so that ranking and access read no overflow pages.
    /** JSON array in the client's order; `memory_tags` is its index. */
    tags: text().notNull(),
    metadata: text().notNull(),
    text: text().notNull(),
    /** When it happened, according to the client. It stands last because a migration added it. */
    occurred_at: integer(),
    /** When it happened, else when it was stored. A column, because SQLite uses no index of an expression for `(at, id) > (?, ?)`. */
    occurrence: integer().generatedAlwaysAs(sql`coalesce(occurred_at, created_at)`, { mode: 'virtual' }),
    /**
     * The form in which the keyword index has the item, or 3 where `speaker_key` is written too, and the `version` of that
     * indexing. Each write sets both.
     */
    indexed_by: integer().notNull().default(1),
    indexed_version: integer().notNull().default(0),
    retired_at: integer(),
    retired_reason: text(),
    /** The id of the item that superseded a retired one. It stays when that one is erased. */
    superseded_by: text(),
    /** A purge still has to remove the vectors of the retired item, up to this `vector_version`. */
    unpurged_version: integer(),
    /** The person or thing that the item is about. It is set once. */
    subject: text(),
    /** The lease that stored its vectors, and the reader that they have; null: an earlier version of the service stored them. */
    filed_as: text(),
    /** Of a turn: who says it, and under which name. A note has neither. */
    role: text({ enum: TURN_ROLES }),
    speaker: text(),
    /** What stored the item: a key's id, an application's client id or `session`. Null: an earlier version of the service stored it. */
    created_via: text(),
    /** What wrote the current text, if `via_version` is its version: an earlier version of the service writes neither. */
    text_via: text(),
    via_version: integer(),
    kind: text({ enum: ITEM_KINDS })
      .generatedAlwaysAs(sql`iif(role is null, 'note', 'turn')`, { mode: 'virtual' })
      .notNull(),
    /** The name of who says it, as a search looks for it; '' for none. null: no conversation, or an earlier version wrote it. */
    speaker_key: text(),
  },
  (t) => [
    uniqueIndex('memory_items_by_id').on(t.id),
    uniqueIndex('memory_items_by_custom_id')
      .on(t.project_id, t.namespace, t.custom_id)
      .where(sql`custom_id is not null and deleted_at is null`),
    index('memory_items_by_text')
      .on(t.project_id, t.namespace, t.text_hash)
      .where(sql`deleted_at is null`),
    index('memory_items_by_project')
      .on(t.project_id, t.created_at, t.id)
      .where(sql`deleted_at is null`),
    index('memory_items_by_namespace')
      .on(t.project_id, t.namespace, t.created_at, t.id)
      .where(sql`deleted_at is null`),
    index('memory_items_by_conversation')
      .on(t.project_id, t.conversation_id, t.created_at, t.id)
      .where(sql`conversation_id is not null and deleted_at is null`),
    index('memory_items_by_document')
      .on(t.project_id, t.document_id, t.created_at, t.id)
      .where(sql`document_id is not null and deleted_at is null`),
    index('memory_items_by_session')
      .on(t.project_id, t.session_id, t.created_at, t.id)
      .where(sql`session_id is not null and deleted_at is null`),
    // `deleted_at` is a column of it: one index lists the live items and finds all that a subject has.
    index('memory_items_by_subject')
      .on(t.project_id, t.subject, t.deleted_at, t.created_at, t.id)
      .where(sql`subject is not null`),
    index('memory_items_by_occurrence')
      .on(t.project_id, t.occurrence, t.id)
      .where(sql`deleted_at is null`),
    index('memory_items_by_namespace_occurrence')
      .on(t.project_id, t.namespace, t.occurrence, t.id)
      .where(sql`deleted_at is null`),
    index('memory_items_by_turn')
      .on(t.project_id, t.conversation_id, t.namespace, t.occurrence, t.id)
      .where(sql`conversation_id is not null and deleted_at is null`),
    index('memory_items_retired_turns')
      .on(t.project_id, t.conversation_id, t.namespace, t.occurrence, t.id)
      .where(sql`conversation_id is not null and retired_at is not null`),
    index('memory_items_private')
      .on(t.created_by)
      .where(sql`visibility = 'private' and deleted_at is null`),
    index('memory_items_unembedded')
      .on(t.project_id, t.text_by, t.next_attempt_at)
      .where(sql`embedding_status in ('pending', 'processing') and deleted_at is null`),
    index('memory_items_to_embed')
      .on(t.next_attempt_at)
      .where(sql`embedding_status in ('pending', 'processing') and deleted_at is null`),
    index('memory_items_by_model')
      .on(t.embedding_model, t.embedding_dimension, t.project_id)
      .where(sql`embedding_status = 'completed' and deleted_at is null`),
    index('memory_items_to_index')
      .on(t.project_id)
      .where(sql`deleted_at is null and (indexed_by < 2 or indexed_version <> version)`),
    index('memory_items_by_speaker')
      .on(t.project_id, t.speaker_key, sql`case visibility when 'project' then '' else created_by end`, t.namespace)
      .where(sql`speaker_key > '' and deleted_at is null`),
    index('memory_items_to_key')
      .on(t.project_id)
      .where(sql`deleted_at is null and conversation_id is not null and (speaker_key is null or indexed_by < 3)`),
    index('memory_items_to_file')
      .on(t.project_id)
      .where(
        sql`deleted_at is null and embedded_version is not null and (embedding_status = 'completed' and filed_as is not (coalesce(lease_id, '') || ':' || iif(visibility = 'project', '', created_by)) or embedding_status = 'failed' and filed_as is null)`,
      ),
    index('memory_items_to_expire')
      .on(t.expires_at)
      .where(sql`expires_at is not null and deleted_at is null`),
    index('memory_items_to_purge')
      .on(t.vectors_purged_at, t.deleted_at)
      .where(sql`deleted_at is not null`),
    index('memory_items_tombstones')
      .on(t.project_id, t.vectors_purged_at)
      .where(sql`deleted_at is not null and retired_at is null`),
    uniqueIndex('memory_items_by_held_id')
      .on(t.project_id, t.namespace, t.custom_id)
      .where(sql`custom_id is not null and (deleted_at is null or retired_at is not null)`),
    index('memory_items_retired')
      .on(t.project_id, t.created_at, t.id)
      .where(sql`retired_at is not null`),
    index('memory_items_retired_by_namespace')
      .on(t.project_id, t.namespace, t.created_at, t.id)
      .where(sql`retired_at is not null`),
    index('memory_items_retired_private')
      .on(t.created_by)
      .where(sql`visibility = 'private' and retired_at is not null`),
    index('memory_items_retired_to_expire')
      .on(t.expires_at)
      .where(sql`expires_at is not null and retired_at is not null`),
    index('memory_items_retired_by_conversation')
      .on(t.project_id, t.conversation_id)
      .where(sql`conversation_id is not null and retired_at is not null`),
    index('memory_items_to_unload')
      .on(t.deleted_at)
      .where(sql`unpurged_version is not null`),
  ],
)

/** The index of `memory_items.tags`. */
export const memory_tags = sqliteTable(
  'memory_tags',
  {
    item_row: integer()
      .notNull()
      .references(() => memory_items.row, { onDelete: 'cascade' }),
    project_id: text().notNull(),
    tag: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.item_row, t.tag] }),
    index('memory_tags_by_tag').on(t.project_id, t.tag, t.item_row),
  ],
)
