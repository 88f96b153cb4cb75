import type { System } from '../../core/context.ts'
import type { Sweep } from '../../core/queue.ts'
import type { ItemRef } from '../item.ts'
import { PORTION_ROWS, tombstone } from './tombstone.ts'

/** Portions of one sweep and shard: 5,000 items a minute. Further items wait; every answer leaves them out already. */
const MAX_PORTIONS = 50

const DUE = `select i.id, i.tenant_id, i.project_id from memory_items i
  cross join projects p on p.id = i.project_id and p.deleted_at is null
  where i.expires_at is not null and i.deleted_at is null and i.expires_at <= ?1
  order by i.expires_at limit ${PORTION_ROWS}`

/** Turns expired items into tombstones: their words go, and `memory.deleted` with reason `expired` goes out. */
export async function expireItems(system: System): Promise<void> {
  for (const shard of system.shards) {
    const db = system.database(shard)
    for (let portion = 0; portion < MAX_PORTIONS; portion++) {
      const due = await db.all<ItemRef>(DUE, system.now())
      if (due.length > 0) await tombstone(system, db, due, { reason: 'expired', announce: true })
      if (due.length < PORTION_ROWS) break
    }
  }
}

export const expirySweep: Sweep = { name: 'memory.expire', everyMinutes: 1, run: expireItems }
