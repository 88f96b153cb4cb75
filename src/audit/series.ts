import { iso } from '../core/values/clock.ts'
import type { Database } from '../core/database/database.ts'
import type { Sql } from '../core/database/sql.ts'
import { eachBucket } from './durations.ts'
import type { AuditVisibility } from './visible.ts'
import type { UsageQuery } from './usage.ts'
import { PORTAL } from './request-hours.ts'

export const SERIES_BY = ['operation', 'credential', 'project', 'outcome'] as const
export type SeriesBy = (typeof SERIES_BY)[number]

/** Credentials or projects beyond these, by number of requests, are one name: `other`. */
export const MAX_NAMES = 20

export interface SeriesPoint {
  /** Start of the step. */
  at: string
  name: string
  requests: number
  refusals: number
  limited: number
  failures: number
  total_ms: number
  /** Number of requests in each bucket of duration. */
  durations: number[]
}

export interface SeriesQuery extends UsageQuery {
  by: SeriesBy
  /** Whose ids the answer may name. Those of others count as `other`. */
  visibility: AuditVisibility
  pageReads: 'include' | 'exclude'
}

/** SQL: whether the caller may see ids of row `h`, as in the audit log. */
const NAMED = `(h.user_id = :visible_actor or h.project_id in (select value from json_each(:visible_projects)))`

/** The name of row `h`. Of ids an answer names at most `maxNames`. */
function nameOf(by: SeriesBy, { actor, projectIds }: AuditVisibility): Sql & { maxNames: number } {
  if (by === 'operation' || by === 'outcome') return { sql: `h.${by}`, params: {}, maxNames: -1 }
  return {
    sql:
      by === 'credential'
        ? `iif(${NAMED}, h.credential, 'other')`
        : `case when h.project_id = '' then 'none' when ${NAMED} then h.project_id else 'other' end`,
    params: { visible_actor: actor, visible_projects: JSON.stringify(projectIds) },
    maxNames: MAX_NAMES,
  }
}

const REQUESTS = eachBucket((column) => column).replaceAll(',', ' +')
const countOf = (outcome: string): string => `sum(iif(h.outcome = '${outcome}', ${REQUESTS}, 0))`

const statementOf = (name: string, maxNames: number): string => `
  with steps as materialized (
    select h.at - h.at % :step as at, ${name} as name, sum(h.total_ms) as total_ms,
      ${countOf('refused')} as refusals, ${countOf('limited')} as limited, ${countOf('failed')} as failures,
      ${eachBucket((column) => `sum(h.${column}) as ${column}`)}
    from request_hours h
    where h.tenant_id = :tenant and h.at >= :since - :since % :step and h.at < :until
      and (:user is null or h.user_id = :user) and (:no_page_reads = 0 or h.credential <> '${PORTAL}')
    group by 1, 2),
  top as (select name from steps where name <> 'other' group by name order by sum(${REQUESTS}) desc, name limit ${maxNames})
  select at, iif(name in top, name, 'other') as name, sum(total_ms) as total_ms, sum(refusals) as refusals,
    sum(limited) as limited, sum(failures) as failures, json_array(${eachBucket((column) => `sum(${column})`)}) as durations
  from steps group by 1, 2 order by 1, 2`

type SeriesRow = Omit<SeriesPoint, 'at' | 'requests' | 'durations'> & { at: number; durations: string }

/** Requests by step and name, oldest first, with their durations, of one user or of the whole tenant. */
export async function readSeries(
  audit: Database,
  { tenantId, userId, since, until, stepMs, by, visibility, pageReads }: SeriesQuery,
): Promise<SeriesPoint[]> {
  const name = nameOf(by, visibility)
  const rows = await audit.all<SeriesRow>(statementOf(name.sql, name.maxNames), {
    ...name.params,
    tenant: tenantId,
    since,
    until,
    step: stepMs,
    user: userId,
    no_page_reads: pageReads === 'exclude' ? 1 : 0,
  })
  return rows.map(({ at, durations, ...row }) => {
    const buckets = JSON.parse(durations) as number[]
    return { ...row, at: iso(at), requests: buckets.reduce((sum, one) => sum + one, 0), durations: buckets }
  })
}
