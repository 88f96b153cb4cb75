import { iso } from '../core/values/clock.ts'
import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import type { UsageQuery } from './usage.ts'
import { HOUR_MS } from '../core/values/durations.ts'

/** Stands for the tenant in the row that holds the count of a whole shard. No tenant has this id. */
const ALL_TENANTS = ''

/** A larger backlog of a shard is counted up to here, so that a change of the model does not read every item. */
export const BACKLOG_COUNTED_TO = 100_000

export interface BacklogPoint {
  /** Start of the step. */
  at: string
  /** The most items that were seen waiting at once within the step. */
  waiting: number
  /** The count was cut, so more may have waited. */
  truncated?: true
}

/**
 * Stores what waits in a shard for its embedding, by tenant. An hour keeps the highest count, so a second run does no harm. `cut`:
 * more items wait in the shard than were counted.
 */
export async function storeBacklog(
  system: Pick<System, 'auditDatabase' | 'now'>,
  shard: string,
  counts: readonly { tenant_id: string; waiting: number }[],
  cut = false,
): Promise<void> {
  const now = system.now()
  const all = cut ? BACKLOG_COUNTED_TO : counts.reduce((sum, { waiting }) => sum + waiting, 0)
  await system.auditDatabase(shard).write(
    `insert into embedding_backlogs (tenant_id, at, shard, waiting)
     select value ->> 0, :hour, :shard, value ->> 1 from json_each(:counts) where true
     on conflict (tenant_id, at, shard) do update set waiting = max(waiting, excluded.waiting)`,
    {
      hour: now - (now % HOUR_MS),
      shard,
      counts: JSON.stringify([[ALL_TENANTS, all], ...counts.map(({ tenant_id, waiting }) => [tenant_id, waiting])]),
    },
  )
}

/** The backlog of a tenant by step, oldest first. A step in which nobody counted is left out. */
export async function readBacklog(
  audit: Database,
  { tenantId, since, until, stepMs }: Omit<UsageQuery, 'userId' | 'pageReads'>,
): Promise<BacklogPoint[]> {
  const rows = await audit.all<{ at: number; waiting: number; cut: number }>(
    `select at - at % :step as at, max(iif(tenant_id = :tenant, waiting, 0)) as waiting,
       max(tenant_id = :all_tenants and waiting >= ${BACKLOG_COUNTED_TO}) as cut
     from embedding_backlogs where tenant_id in (:tenant, :all_tenants) and at >= :since - :since % :step and at < :until
     group by 1 order by 1`,
    { tenant: tenantId, all_tenants: ALL_TENANTS, since, until, step: stepMs },
  )
  return rows.map(({ at, waiting, cut }) => ({ at: iso(at), waiting, ...(cut === 1 ? { truncated: true } : {}) }))
}
