import { iso } from '../core/values/clock.ts'
import type { Database } from '../core/database/database.ts'
import { GUARD_COUNT, PAGE_READ, RERANK_CALL, type GuardAction } from './queue.ts'

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

/** Secrets of one kind that the guard found in writes, by what it did with them. */
export interface SecretCount {
  kind: string
  flagged: number
  redacted: number
  refused: number
}

/** Requests by step and operation, oldest first, the calls of the reranker, and the secrets that the guard found, of one user or of the whole tenant. */
export async function readUsage(
  audit: Database,
  { tenantId, userId, since, until, stepMs, pageReads }: UsageQuery,
): Promise<{ data: UsagePoint[]; reranks: Reranks; secrets: SecretCount[] }> {
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
  const isRequest = ({ operation }: UsageRow): boolean =>
    operation !== RERANK_CALL && !operation.startsWith(GUARD_COUNT)
  const data = rows.filter(isRequest).map((row) => ({ ...row, at: iso(row.at) }))
  return { data, reranks, secrets: secretsIn(rows) }
}

const DONE = { flag: 'flagged', redact: 'redacted', refuse: 'refused' } as const satisfies Record<
  GuardAction,
  keyof SecretCount
>

/** By kind, in the order of their names. */
function secretsIn(rows: readonly UsageRow[]): SecretCount[] {
  const byKind = new Map<string, SecretCount>()
  for (const { operation, requests } of rows) {
    if (!operation.startsWith(GUARD_COUNT)) continue
    const [, action = '', kind = ''] = operation.split('.')
    const sums = byKind.get(kind) ?? { kind, flagged: 0, redacted: 0, refused: 0 }
    sums[DONE[action as GuardAction]] += requests
    byKind.set(kind, sums)
  }
  return [...byKind.values()].toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
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
