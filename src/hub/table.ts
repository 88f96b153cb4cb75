import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * One row for each open socket. It is committed before the socket is accepted and removed when it closes; a sweep verifies it.
 * The bounds of the credential stand in the row, because the fan-out checks them.
 */
export const presence = sqliteTable(
  'presence',
  {
    connection_id: text().primaryKey(),
    tenant_id: text().notNull(),
    user_id: text().notNull(),
    /** Of the hub that holds the socket. */
    routing_id: text().notNull(),
    credential_id: text().notNull(),
    /** JSON array of scopes. */
    scopes: text().notNull(),
    /** JSON array of KeyPermission; null: all that the user may see. */
    permissions: text(),
    /** JSON array of channel names. */
    channels: text().notNull(),
    created_at: integer().notNull(),
    /** When a sweep last asked the hub about it. */
    verified_at: integer().notNull(),
  },
  (t) => [index('presence_by_user').on(t.tenant_id, t.user_id), index('presence_by_verification').on(t.verified_at)],
)
