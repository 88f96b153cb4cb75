import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { eraseInPages } from '../../core/database/erase-in-pages.ts'
import { sql } from '../../core/database/sql.ts'
import { shardSweep, type Sweep } from '../../core/queue.ts'
import { directoryDatabase } from './accounts.ts'
import { lookSweep } from './placement.ts'
import { release } from './release.ts'
import { settleAddresses, settleClients } from './settle.ts'
import { DAY_MS } from '../../core/values/durations.ts'

/** Reservations of one run. */
const MAX_SETTLED = 500
/** Far longer than a commit may be on its way. */
const SPENT_KEPT_MS = DAY_MS

interface ExpiredRow {
  kind: 'address' | 'client'
  /** A routing id or a client id. */
  id: string
}

const EXPIRED = `
  select * from (
    select 'address' as kind, routing_id as id, expires_at from directory
    where expires_at is not null and expires_at <= :now and substr(routing_id, 1, 2) = :shard
    union all
    select 'client', id, expires_at from client_directory
    where expires_at is not null and expires_at <= :now and shard = :shard)
  order by expires_at limit ${MAX_SETTLED}`

/** Settles the reservations of a shard that nobody has confirmed within their minute. */
async function settleExpired(system: System, _db: Database, shard: string): Promise<boolean> {
  const rows = await directoryDatabase(system).all<ExpiredRow>(EXPIRED, { now: system.now(), shard })
  const idsOf = (kind: ExpiredRow['kind']): string[] => rows.filter((row) => row.kind === kind).map(({ id }) => id)
  const [addresses, clients] = [idsOf('address'), idsOf('client')]
  try {
    if (addresses.length > 0) await settleAddresses(system, shard, addresses)
    if (clients.length > 0) await settleClients(system, shard, clients)
  } catch (error) {
    system.log.error({ event: 'directory.not_settled', shard, reservations: rows.length }, error)
    return false
  }
  return rows.length === MAX_SETTLED
}

export const directorySweeps: Sweep[] = [
  shardSweep('directory.settle', 1, settleExpired),
  lookSweep,
  shardSweep('directory.release', 1, (system, db) => release({ ...system, requestId: system.newId('req') }, db)),
  shardSweep('directory.spent', 60, (system, db) =>
    eraseInPages(
      db,
      'spent_reservations',
      sql('created_at <= :kept_since', { kept_since: system.now() - SPENT_KEPT_MS }),
    ),
  ),
]
