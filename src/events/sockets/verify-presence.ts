import type { Sweep } from '../../core/queue.ts'
import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { leavePresence } from '../../hub/index.ts'
import { rolesSql } from '../../identity/index.ts'

/** A row is held against its hub this often; a close that could not be recorded costs no more than pushes to nobody. */
const VERIFY_EVERY_MS = 60_000
const ROWS_A_ROUND = 500
/** 5,000 connections a minute, half of the calls that an invocation may make; with more of them each is asked less often. */
const ROUNDS = 10
/** Hubs asked at once. */
const CALLS_AT_ONCE = 50

interface PresenceRow {
  connection_id: string
  routing_id: string
  /** Whether the user may still read anything that the credential is good for. */
  entitled: number
}

const CLAIM = `
  update presence set verified_at = ?1 where connection_id in
    (select connection_id from presence where verified_at <= ?1 - ${VERIFY_EVERY_MS} order by verified_at limit ${ROWS_A_ROUND})
  returning connection_id, routing_id, exists (
    select 1 from users u cross join workspace_members m on m.user_id = u.id and m.role in (${rolesSql('read')})
      cross join workspaces w on w.id = m.workspace_id and w.deleted_at is null
    where u.id = presence.user_id and u.tenant_id = presence.tenant_id and u.deleted_at is null
      and (presence.permissions is null or exists (
        select 1 from json_each(presence.permissions) k cross join projects p on p.id = k.value ->> 'project_id'
        where p.workspace_id = w.id and p.deleted_at is null))) entitled`

/** Erases presence of sockets that are gone, and closes sockets (4403) whose user may read nothing any more. */
export async function verifyPresence(system: System, db: Database): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const rows = await db.write<PresenceRow>(CLAIM, system.now())
    const hubs = [...Map.groupBy(rows, (row) => row.routing_id)]
    for (let at = 0; at < hubs.length; at += CALLS_AT_ONCE) {
      const gone = await Promise.all(
        hubs.slice(at, at + CALLS_AT_ONCE).map(([routingId, here]) => verifyHub(system, routingId, here)),
      )
      await leavePresence(db, gone.flat())
    }
    if (rows.length < ROWS_A_ROUND) return
  }
}

/** Of the connections of one hub, those that it does not hold. */
async function verifyHub(system: System, routingId: string, rows: readonly PresenceRow[]): Promise<string[]> {
  try {
    const hub = system.hub(routingId)
    const barred = rows.filter((row) => row.entitled === 0).map((row) => row.connection_id)
    if (barred.length > 0) await hub.closeWithoutRights(barred)
    return await hub.missingSockets(rows.map((row) => row.connection_id))
  } catch (error) {
    // Its rows come again in a minute; the other hubs do not wait for it.
    system.log.error({ event: 'presence.unverified', connections: rows.length }, error)
    return []
  }
}

export const presenceSweep: Sweep = {
  name: 'events.presence',
  everyMinutes: 1,
  run: async (system) => {
    for (const shard of system.shards) await verifyPresence(system, system.database(shard))
  },
}
