import { iso } from '../core/values/clock.ts'
import type { System } from '../core/context.ts'

export interface UsagePoint {
  /** Start of the step. */
  at: string
  operation: string
  requests: number
  /** 4xx without 429. */
  refusals: number
  /** 429. */
  limited: number
  /** 5xx. */
  failures: number
}

type UsageRow = Omit<UsagePoint, 'at'> & { at: number }

/** Requests by step and operation, oldest first, of one user or of the whole tenant. */
export async function readUsage(
  system: Pick<System, 'auditDatabase'>,
  { tenantId, userId, since, until, stepMs }: UsageQuery,
): Promise<UsagePoint[]> {
  const rows = await system.auditDatabase.all<UsageRow>(
    `select at - at % ?4 as at, operation, sum(count) as requests,
       sum(case outcome when 'refused' then count else 0 end) as refusals,
       sum(case outcome when 'limited' then count else 0 end) as limited,
       sum(case outcome when 'failed' then count else 0 end) as failures
     from usage_counts
     where tenant_id = ?1 and at >= ?2 - ?2 % ?4 and at < ?3 and (?5 is null or user_id = ?5)
     group by 1, 2 order by 1, 2`,
    tenantId,
    since,
    until,
    stepMs,
    userId,
  )
  return rows.map((row) => ({ ...row, at: iso(row.at) }))
}

export interface UsageQuery {
  tenantId: string
  /** null: all users. */
  userId: string | null
  since: number
  until: number
  stepMs: number
}
