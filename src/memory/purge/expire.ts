import { shardSweep } from '../../core/queue.ts'
import type { ItemRef } from '../item.ts'
import { PORTION_ROWS, tombstone } from './tombstone.ts'

/** Portions of one run: 5,000 items. No answer shows an expired item that still waits. */
const MAX_PORTIONS = 50

/** The partial indexes of current and of retired items have the expiries of each. */
const dueOf = (status: string): string => `select * from (
  select i.id, i.tenant_id, i.project_id from memory_items i
  cross join projects p on p.id = i.project_id and p.deleted_at is null
  where i.expires_at is not null and i.${status} and i.expires_at <= :now
  order by i.expires_at limit ${PORTION_ROWS})`
const DUE = `${dueOf('deleted_at is null')} union all ${dueOf('retired_at is not null')} limit ${PORTION_ROWS}`

/** Turns expired items into tombstones: their postings are deleted, and `memory.deleted` goes out with the reason `expired`. */
export const expirySweep = shardSweep('memory.expire', 1, async (system, db) => {
  for (let portion = 0; portion < MAX_PORTIONS && !(portion > 0 && db.isSpent); portion++) {
    const due = await db.all<ItemRef>(DUE, { now: system.now() })
    if (due.length > 0) await tombstone(system, db, due, { reason: 'expired', announce: true })
    if (due.length < PORTION_ROWS) return false
  }
  return true
})
