import { iso } from '../core/values/clock.ts'
import type { Database } from '../core/database/database.ts'
import { PAGE_READ, RERANK_CALL } from './queue.ts'

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

/** Calls of the reranker, and those that it did not answer, or answered by no usable scores. */
export interface Reranks {
  calls: number
  failures: number
}

/** Requests by step and operation, oldest first, and the calls of the reranker, of one user or of the whole tenant. */
export async function readUsage(
  audit: Database,
  { tenantId, userId, since, until, stepMs, pageReads }: UsageQuery,
): Promise<{ data: UsagePoint[]; reranks: Reranks }> {
  const rows = await audit.all<UsageRow>(
    `select at - at % :step as at, operation, sum(count) as requests,
       sum(case outcome when 'refused' then count else 0 end) as refusals,
       sum(case outcome when 'limited' then count else 0 end) as limited,
       sum(case outcome when 'failed' then count else 0 end) as failures
     from usage_counts
     where tenant_id = :tenant and at >= :since - :since % :step and at < :until
       and (:user is null or user_id = :user) and (:left_out is null or outcome <> :left_out)
     group by 1, 2 order by 1, 2`,
    {
      tenant: tenantId,
      since,
      until,
      step: stepMs,
      user: userId,
      left_out: pageReads === 'exclude' ? PAGE_READ : null,
    },
  )
  const reranks = { calls: 0, failures: 0 }
  for (const { operation, requests, failures } of rows) {
    if (operation !== RERANK_CALL) continue
    reranks.calls += requests
    reranks.failures += failures
  }
  const data = rows.filter(({ operation }) => operation !== RERANK_CALL).map((row) => ({ ...row, at: iso(row.at) }))
  return { data, reranks }
}

export interface UsageQuery {
  tenantId: string
  /** null: all users. */
  userId: string | null
  since: number
  until: number
  stepMs: number
  /** Whether what the portal read to show its pages counts too. */
  pageReads: 'include' | 'exclude'
}
