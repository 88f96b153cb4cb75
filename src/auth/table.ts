import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Instants are milliseconds since 1970; JSON columns hold text. */

export const tenants = sqliteTable('tenants', {
  id: text().primaryKey(),
  name: text().notNull(),
  created_at: integer().notNull(),
})

/** People, and the service accounts of workspace keys (which have no address and no password). */
export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    tenant_id: text()
      .notNull()
      .references(() => tenants.id),
    routing_id: text().notNull(),
    kind: text({ enum: ['person', 'service'] }).notNull(),
    email: text(),
    name: text().notNull(),
    avatar_url: text().notNull().default(''),
    settings: text().notNull(),
    /** PHC string of Argon2id; null where the user cannot log in. */
    password_hash: text(),
    default_project_id: text(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    deleted_at: integer(),
  },
  (t) => [uniqueIndex('users_by_routing_id').on(t.routing_id), index('users_by_tenant').on(t.tenant_id)],
)

/** The one global table: an address leads to its user, and so to the shard of the user's tenant. */
export const directory = sqliteTable('directory', {
  email: text().primaryKey(),
  routing_id: text().notNull(),
  user_id: text().notNull(),
})

export const api_keys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    /** As whom the key acts: its maker, or a workspace's service account. */
    user_id: text()
      .notNull()
      .references(() => users.id),
    /** Set for a workspace's key. */
    workspace_id: text(),
    created_by: text().notNull(),
    name: text().notNull(),
    environment: text({ enum: ['live', 'test'] }).notNull(),
    token_hash: text().notNull(),
    /** What a list may show of the token: its last four characters. */
    last_four: text().notNull(),
    /** JSON array of scopes. */
    scopes: text().notNull(),
    /** JSON array of KeyPermission, or null: all that the owner may use. */
    permissions: text(),
    expires_at: integer(),
    /** From this instant on the key is dead; a rotation with overlap puts it in the future. */
    revoked_at: integer(),
    last_used_at: integer(),
    rotated_to: text(),
    created_at: integer().notNull(),
  },
  (t) => [
    uniqueIndex('api_keys_by_token_hash').on(t.token_hash),
    index('api_keys_by_user').on(t.user_id, t.created_at),
    index('api_keys_by_workspace').on(t.workspace_id, t.created_at),
  ],
)

export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    user_id: text()
      .notNull()
      .references(() => users.id),
    token_hash: text().notNull(),
    user_agent: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    revoked_at: integer(),
    last_used_at: integer(),
  },
  (t) => [
    uniqueIndex('sessions_by_token_hash').on(t.token_hash),
    index('sessions_by_user').on(t.user_id, t.created_at),
    index('sessions_by_expiry').on(t.expires_at),
  ],
)
