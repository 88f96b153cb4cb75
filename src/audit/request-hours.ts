import type { Principal } from '../core/context.ts'
import type { Database, Statement } from '../core/database/database.ts'
import { slices } from '../core/database/slices.ts'
import { BUCKETS, bucketOf, eachBucket } from './durations.ts'
import type { AuditMessage, RequestOutcome } from './message.ts'
import { HOUR_MS } from '../core/values/durations.ts'

/** Stands for the credential where the portal read to show a page. */
export const PORTAL = 'portal'

interface Measured {
  principal: Principal
  operation: string
  outcome: RequestOutcome
  /** Where the request succeeded: the id in a refused one may be of no project. */
  projectId: string | null
  pageRead: boolean
}

/** The row of `request_hours` that a request adds to: its primary key. */
export const hourKey = (now: number, { principal, operation, outcome, projectId, pageRead }: Measured): string =>
  [
    principal.tenantId,
    now - (now % HOUR_MS),
    principal.userId,
    operation,
    pageRead ? PORTAL : credentialOf(principal),
    outcome === 'ok' ? (projectId ?? '') : '',
    outcome,
  ].join(' ')

/** What stays the same over many requests: the key, the application, or the kind. */
const credentialOf = ({ credential: { kind, id, appId } }: Principal): string => (kind === 'key' ? id : (appId ?? kind))

/** Adds one request to the sums under a key: milliseconds, then requests by bucket. Answers whether the key is new. */
export function addDuration(hours: Record<string, number[]>, key: string, durationMs: number): boolean {
  const isNew = hours[key] === undefined
  const sums = (hours[key] ??= Array.from({ length: 1 + BUCKETS }, () => 0))
  const bucket = 1 + bucketOf(durationMs)
  sums[0] = (sums[0] ?? 0) + durationMs
  sums[bucket] = (sums[bucket] ?? 0) + 1
  return isNew
}

const ADD = `
  insert into request_hours (tenant_id, at, user_id, operation, credential, project_id, outcome, total_ms,
    ${eachBucket((column) => column)})
  select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
    ${eachBucket((_, bucket) => `value ->> ${8 + bucket}`)} from json_each(:rows) where true
  on conflict (tenant_id, at, user_id, operation, credential, project_id, outcome) do update set
    total_ms = total_ms + excluded.total_ms, ${eachBucket((column) => `${column} = ${column} + excluded.${column}`)}`

/** Statements that add the sums of messages. Run them in the commit that stores the ids of the messages. */
export const hourStatements = (db: Database, messages: readonly AuditMessage[]): Statement[] =>
  slices(messages.flatMap(rowsOf)).map((rows) => db.statement(ADD, { rows }))

/** A message of a version before this one has no `hours`. */
const rowsOf = ({ hours = {} }: AuditMessage): (string | number)[][] =>
  Object.entries(hours).map(([key, sums]) => {
    const [tenant = '', at = '0', ...dimensions] = key.split(' ')
    return [tenant, Number(at), ...dimensions, ...sums]
  })
