// The directory: which shard an address, an application or a tenant is in (architecture §6).
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * From an e-mail address to its user, and so to the shard of the user's tenant. The tables of the directory are in use in
 * shard 00 alone, and hold what is in all shards.
 */
export const directory = sqliteTable(
  'directory',
  {
    email: text().primaryKey(),
    routing_id: text().notNull(),
    user_id: text().notNull(),
    /** Of a reservation whose account nobody has confirmed yet. Null: the account was there. */
    expires_at: integer(),
  },
  (t) => [
    index('directory_by_user').on(t.user_id),
    index('directory_by_expiry')
      .on(t.expires_at)
      .where(sql`expires_at is not null`),
  ],
)

/** From a `client_id` to the shard of its owner. One without an owner is in shard 00 and has no entry. */
export const client_directory = sqliteTable(
  'client_directory',
  {
    id: text().primaryKey(),
    shard: text().notNull(),
    /** As in `directory`. */
    expires_at: integer(),
  },
  (t) => [
    index('client_directory_by_expiry')
      .on(t.expires_at)
      .where(sql`expires_at is not null`),
  ],
)

/** From a tenant to its shard. A tenant without an entry is in shard 00, or its sign-up is not confirmed yet. */
export const tenant_directory = sqliteTable(
  'tenant_directory',
  {
    id: text().primaryKey(),
    shard: text().notNull(),
  },
  (t) => [index('tenant_directory_by_shard').on(t.shard)],
)

/** Reservations of the directory that are spent: the commit of this shard used them, or they were given up. Never both. */
export const spent_reservations = sqliteTable(
  'spent_reservations',
  {
    /** The routing id of an account, or a client id. */
    id: text().primaryKey(),
    created_at: integer().notNull(),
  },
  (t) => [index('spent_reservations_by_age').on(t.created_at)],
)

/** Users and applications that this shard has erased, until the directory and the other shards know. */
export const directory_releases = sqliteTable('directory_releases', {
  id: text().primaryKey(),
  created_at: integer().notNull(),
})

/** What a sweep saw of each shard, for the choice of the shard of a new tenant. In use in shard 00 alone. */
export const shard_states = sqliteTable('shard_states', {
  shard: text().primaryKey(),
  seen_at: integer().notNull(),
  /** Of its two databases. */
  bytes: integer().notNull(),
  audit_bytes: integer().notNull(),
  /** Requests of the last step of the counts. */
  requests: integer().notNull(),
  /** 1: both databases answer and have all migrations, and no sign-up has met a failure since. */
  usable: integer().notNull(),
  /** Tenants that the directory knows there, and that its database does not have. */
  missing_tenants: integer().notNull().default(0),
})
