import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Sockets that are open now, one row each: committed before the socket is accepted, removed when it closes,
 * verified against the hubs by a sweep. What the credential may see stands in the row, for the fan-out's access check.
 */
export const presence = sqliteTable(
  'presence',
  {
    connection_id: text().primaryKey(),
    tenant_id: text().notNull(),
    user_id: text().notNull(),
    /** Leads to the hub that holds the socket. */
    routing_id: text().notNull(),
    credential_id: text().notNull(),
    /** JSON array of scopes. */
    scopes: text().notNull(),
    /** JSON array of KeyPermission, or null: all that the user may see. */
    permissions: text(),
    /** JSON array of channel names. */
    channels: text().notNull(),
    created_at: integer().notNull(),
    /** When a sweep last asked the hub about it. */
    verified_at: integer().notNull(),
  },
  (t) => [index('presence_by_user').on(t.tenant_id, t.user_id), index('presence_by_verification').on(t.verified_at)],
)
