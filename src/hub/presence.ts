import type { Principal } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { query, wholeRow } from '../core/database/query.ts'
import type { SocketRequest } from '../core/ports.ts'
import { presence } from './table.ts'

const insertPresence = query((db, row: typeof presence.$inferSelect) =>
  db.insert(presence).values(wholeRow(presence, row)),
)

/** After this commit the fan-out sends the connection its events. The hub gathers them until the socket is open. */
export async function enterPresence(
  db: Database,
  principal: Principal,
  { connectionId, channels }: Pick<SocketRequest, 'connectionId' | 'channels'>,
  now: number,
): Promise<void> {
  await db.write(insertPresence, {
    connection_id: connectionId,
    tenant_id: principal.tenantId,
    user_id: principal.userId,
    routing_id: principal.routingId,
    credential_id: principal.credential.id,
    scopes: JSON.stringify(principal.scopes),
    permissions: principal.permissions === null ? null : JSON.stringify(principal.permissions),
    channels: JSON.stringify(channels),
    created_at: now,
    verified_at: now,
  })
}

export async function leavePresence(db: Database, connectionIds: readonly string[]): Promise<void> {
  if (connectionIds.length === 0) return
  await db.write('delete from presence where connection_id in (select value from json_each(:ids))', {
    ids: JSON.stringify(connectionIds),
  })
}
