// Instants are milliseconds since 1970; JSON columns hold text.
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const tenants = sqliteTable('tenants', {
  id: text().primaryKey(),
  name: text().notNull(),
  created_at: integer().notNull(),
  /** The person who signed up, or who took the tenant over. Null if that person left before this column came. */
  owner_id: text(),
})

/** People, and the service accounts of workspace keys, which have no e-mail address and no password. */
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
    /** The workspace whose invitation made the account. Null for a sign-up without one, and for what is older than this column. */
    joined_through: text(),
    /** When nothing private was left of an erased user. Null: there may be some. */
    purged_at: integer(),
  },
  (t) => [
    uniqueIndex('users_by_routing_id').on(t.routing_id),
    index('users_by_tenant').on(t.tenant_id, t.created_at, t.id),
    index('users_to_purge')
      .on(t.deleted_at)
      .where(sql`deleted_at is not null and purged_at is null`),
  ],
)

const ofUser = () =>
  text()
    .notNull()
    .references(() => users.id)

export const api_keys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    /** The user as whom the key acts: its maker, or a workspace's service account. */
    user_id: ofUser(),
    workspace_id: text(),
    created_by: text().notNull(),
    name: text().notNull(),
    environment: text({ enum: ['live', 'test'] }).notNull(),
    token_hash: text().notNull(),
    last_four: text().notNull(),
    /** JSON array of scopes. */
    scopes: text().notNull(),
    /** JSON array of `KeyPermission`; null: all that the owner may use. */
    permissions: text(),
    expires_at: integer(),
    /** From this instant on the key is refused; a rotation with an overlap sets it in the future. */
    revoked_at: integer(),
    last_used_at: integer(),
    rotated_to: text(),
    created_at: integer().notNull(),
  },
  (t) => [
    uniqueIndex('api_keys_by_token_hash').on(t.token_hash),
    index('api_keys_by_user').on(t.user_id, t.created_at),
    index('api_keys_by_workspace').on(t.workspace_id, t.created_at),
    index('api_keys_by_end')
      .on(t.revoked_at)
      .where(sql`revoked_at is not null`),
  ],
)

export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    user_id: ofUser(),
    token_hash: text().notNull(),
    user_agent: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    revoked_at: integer(),
    last_used_at: integer(),
    /** Hashes of the device token and, with the account, of the network of the login; a new password erases them. */
    device_hash: text(),
    network_hash: text(),
  },
  (t) => [
    uniqueIndex('sessions_by_token_hash').on(t.token_hash),
    index('sessions_by_user').on(t.user_id, t.created_at),
    index('sessions_by_expiry').on(t.expires_at),
    index('sessions_by_device').on(t.user_id, t.device_hash),
    index('sessions_by_network').on(t.user_id, t.network_hash),
  ],
)

/** One-time links by which an owner lets a member set a new password. */
export const password_resets = sqliteTable(
  'password_resets',
  {
    token_hash: text().primaryKey(),
    tenant_id: text().notNull(),
    user_id: ofUser(),
    created_by: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    used_at: integer(),
  },
  (t) => [index('password_resets_by_user').on(t.user_id), index('password_resets_by_expiry').on(t.expires_at)],
)

/**
 * OAuth applications. One without an owner belongs to no tenant: it has registered itself (RFC 7591), or it is the last copy
 * of a metadata document, whose address is its id.
 */
export const oauth_clients = sqliteTable(
  'oauth_clients',
  {
    /** The `client_id`. */
    id: text().primaryKey(),
    tenant_id: text(),
    user_id: text().references(() => users.id),
    name: text().notNull(),
    type: text({ enum: ['confidential', 'public'] }).notNull(),
    /** JSON array of exact redirect URIs. */
    redirect_uris: text().notNull(),
    /** JSON array: the most that a user can grant to it. */
    scopes: text().notNull(),
    require_pkce: integer().notNull(),
    refresh_grace_seconds: integer().notNull(),
    /** Null for a public client. */
    secret_hash: text(),
    /** The secret before the last rotation, and when it expires. */
    old_secret_hash: text(),
    old_secret_expires_at: integer(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    deleted_at: integer(),
    /** The day of the last token request of one without an owner. Null: none came. */
    last_used_at: integer(),
    /** For the copy of a metadata document: when to fetch it again. */
    fresh_until: integer(),
  },
  (t) => [index('oauth_clients_by_user').on(t.user_id, t.created_at)],
)

/** One approval of a user for an application: all tokens that come from it belong to it. */
export const oauth_grants = sqliteTable(
  'oauth_grants',
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    user_id: ofUser(),
    client_id: text().notNull(),
    /** As the user saw it when approving. */
    client_name: text().notNull(),
    scopes: text().notNull(),
    /** RFC 8707, where the client named one. */
    resource: text(),
    created_at: integer().notNull(),
    /** Set when its code is redeemed; before that, no list shows it. */
    activated_at: integer(),
    last_used_at: integer(),
    revoked_at: integer(),
  },
  (t) => [
    index('oauth_grants_by_user').on(t.user_id, t.created_at),
    index('oauth_grants_by_client').on(t.client_id, t.tenant_id, t.user_id),
  ],
)

export const oauth_codes = sqliteTable(
  'oauth_codes',
  {
    code_hash: text().primaryKey(),
    tenant_id: text().notNull(),
    grant_id: text()
      .notNull()
      .references(() => oauth_grants.id),
    client_id: text().notNull(),
    redirect_uri: text().notNull(),
    /** S256; null: a confidential client without PKCE. */
    code_challenge: text(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    /** Set when the code is redeemed, or burnt by a wrong verifier. */
    spent_at: integer(),
    /** The request that spent it. */
    spent_by: text(),
  },
  (t) => [index('oauth_codes_by_expiry').on(t.expires_at), index('oauth_codes_by_grant').on(t.grant_id)],
)

/** Access and refresh tokens. A spent refresh token stays until it expires, so that its reuse is detected. */
export const oauth_tokens = sqliteTable(
  'oauth_tokens',
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    grant_id: text()
      .notNull()
      .references(() => oauth_grants.id),
    client_id: text().notNull(),
    user_id: text().notNull(),
    kind: text({ enum: ['access', 'refresh'] }).notNull(),
    token_hash: text().notNull(),
    scopes: text().notNull(),
    /** The agent path that it is bound to (RFC 8707). Null: to that of its grant, if it has one. */
    resource: text(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    revoked_at: integer(),
    /** For refresh tokens: the exchange, its request, and the data key that derives the successor. */
    spent_at: integer(),
    spent_by: text(),
    successor_key: text(),
  },
  (t) => [
    uniqueIndex('oauth_tokens_by_token_hash').on(t.token_hash),
    index('oauth_tokens_by_grant').on(t.grant_id),
    index('oauth_tokens_by_expiry').on(t.expires_at),
  ],
)

/** Denials that the hubs of their users have not confirmed yet; erased once they have. */
export const pending_denials = sqliteTable('pending_denials', {
  /** Of a credential, or of a grant with all of its tokens. */
  id: text().primaryKey(),
  routing_id: text().notNull(),
  ends_at: integer().notNull(),
  /** The request that ended it, which sends the denial right after its commit; a sweep sends what is left. */
  noted_by: text().notNull(),
})
