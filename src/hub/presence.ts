import type { Principal } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import type { SocketRequest } from '../core/ports.ts'

/** From this commit on the fan-out hands the connection its events; the hub buffers them until the socket is open. */
export async function enterPresence(
  db: Database,
  principal: Principal,
  socket: Pick<SocketRequest, 'connectionId' | 'channels'>,
  now: number,
): Promise<void> {
  await db.write(
    `insert into presence (connection_id, tenant_id, user_id, routing_id, credential_id, scopes, permissions, channels,
       created_at, verified_at)
     values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)`,
    socket.connectionId,
    principal.tenantId,
    principal.userId,
    principal.routingId,
    principal.credential.id,
    JSON.stringify(principal.scopes),
    principal.permissions === null ? null : JSON.stringify(principal.permissions),
    JSON.stringify(socket.channels),
    now,
  )
}

export async function leavePresence(db: Database, connectionIds: readonly string[]): Promise<void> {
  if (connectionIds.length === 0) return
  await db.write(
    'delete from presence where connection_id in (select value from json_each(?))',
    JSON.stringify(connectionIds),
  )
}
