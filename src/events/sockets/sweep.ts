import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { shardSweep } from '../../core/queue.ts'
import { portions } from '../../core/values/portions.ts'
import { leavePresence } from '../../hub/index.ts'
import type { presence } from '../../hub/table.ts'
import { rolesSql } from '../../identity/index.ts'
import { MINUTE_MS } from '../../core/values/durations.ts'

/** A row is verified this often. Until then an unrecorded close only costs useless pushes. */
const VERIFY_EVERY_MS = MINUTE_MS
const ROWS_A_ROUND = 500
/** 5,000 connections of one run, half of the calls that an invocation may make. */
const ROUNDS = 10
/** Calls to hubs under way at once. */
const CALLS_AT_ONCE = 50

type PresenceRow = Pick<typeof presence.$inferSelect, 'connection_id' | 'routing_id'> & {
  /** 0: the user may no longer read anything that the credential gives access to. */
  entitled: number
}

const CLAIM = `
  update presence set verified_at = :now where connection_id in
    (select connection_id from presence where verified_at <= :now - ${VERIFY_EVERY_MS} order by verified_at limit ${ROWS_A_ROUND})
  returning connection_id, routing_id, exists (
    select 1 from users u cross join workspace_members m on m.user_id = u.id and m.role in (${rolesSql('read')})
      cross join workspaces w on w.id = m.workspace_id and w.deleted_at is null
    where u.id = presence.user_id and u.tenant_id = presence.tenant_id and u.deleted_at is null
      and (presence.permissions is null or exists (
        select 1 from json_each(presence.permissions) k cross join projects p on p.id = k.value ->> 'project_id'
        where p.workspace_id = w.id and p.deleted_at is null))) entitled`

/**
 * Erases the presence of sockets that are gone. Closes sockets whose user may read nothing any more (4403). Answers whether
 * there may be more.
 */
export async function verifyPresence(system: System, db: Database): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const rows = await db.write<PresenceRow>(CLAIM, { now: system.now() })
    const hubs = [...Map.groupBy(rows, (row) => row.routing_id)]
    for (const some of portions(hubs, CALLS_AT_ONCE)) {
      const gone = await Promise.all(some.map(([routingId, own]) => verifyHub(system, routingId, own)))
      await leavePresence(db, gone.flat())
    }
    if (rows.length < ROWS_A_ROUND) return false
  }
  return true
}

/** Answers the connections that the hub does not hold. */
async function verifyHub(system: System, routingId: string, rows: readonly PresenceRow[]): Promise<string[]> {
  try {
    const hub = system.hub(routingId)
    const withoutRights = rows.filter((row) => row.entitled === 0).map((row) => row.connection_id)
    if (withoutRights.length > 0) await hub.closeWithoutRights(withoutRights)
    return await hub.missingSockets(rows.map((row) => row.connection_id))
  } catch (error) {
    // Its rows come again in a minute, and the sweep goes on with the other hubs.
    system.log.error({ event: 'presence.unverified', connections: rows.length }, error)
    return []
  }
}

export const presenceSweep = shardSweep('events.presence', 1, verifyPresence)
