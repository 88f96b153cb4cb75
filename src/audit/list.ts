import { z } from 'zod'
import type { System } from '../core/context.ts'
import { encodeCursor, listOrder, type Page } from '../core/http/cursor.ts'
import type { AuditRow } from './record.ts'

/** Pages that one round looks through, and rounds of one call: a rare filter answers what it found, and a cursor. */
const PAGES_A_ROUND = 100
const MAX_ROUNDS = 5

/** Whose rows a caller may see. */
export interface AuditReach {
  tenantId: string
  /** Rows of this user, … */
  actor: string | null
  /** … of this credential, … */
  credentialId: string
  /** … and all rows of these workspaces and projects. */
  workspaceIds: readonly string[]
  projectIds: readonly string[]
}

export interface AuditFilter {
  actor?: string | undefined
  action?: string | undefined
  resource_id?: string | undefined
  project_id?: string | undefined
  /** Milliseconds since 1970; `since` included, `until` not. */
  since?: number | undefined
  until?: number | undefined
}

/** Where a list stands: a page, and the place in it from which everything later was shown. */
const Place = z.tuple([z.number(), z.string(), z.number()])
type Place = z.infer<typeof Place>
const START: Place = [Number.MAX_SAFE_INTEGER, '', 0]
const placeOf = (row: Found): Place => [row.last_at, row.id, row.key]
const newestFirst = listOrder(Place, START, placeOf)

const SCOPE = `p.tenant_id = ?1 and p.last_at >= ?4 and p.first_at < ?5 and (p.last_at < ?2 or (p.last_at = ?2 and p.id <= ?3))`

/** The pages of a round, newest first; of the first of them the rows from `?6` on were shown already. */
const ROUND = `
  with pages as (select p.id, p.last_at, p.rows from audit_pages p where ${SCOPE}
                 order by p.last_at desc, p.id desc limit ${PAGES_A_ROUND})
  select p.last_at, p.id, r.key, r.value
  from pages p cross join json_each(p.rows) r
  where not (p.id = ?3 and r.key >= ?6)
    and (r.value ->> 'actor' = ?7 or r.value ->> '$.credential.id' = ?8
      or r.value ->> 'workspace_id' in (select value from json_each(?9))
      or r.value ->> 'project_id' in (select value from json_each(?10)))
    and (?11 is null or r.value ->> 'actor' = ?11) and (?12 is null or r.value ->> 'action' = ?12)
    and (?13 is null or exists (select 1 from json_each(r.value, '$.resource_ids') i where i.value = ?13))
    and (?14 is null or r.value ->> 'project_id' = ?14)
    and r.value ->> 'at' >= ?15 and r.value ->> 'at' < ?16
  order by p.last_at desc, p.id desc, r.key desc limit ?17`

const LAST_PAGE = `
  select p.last_at, p.id from audit_pages p where ${SCOPE}
  order by p.last_at desc, p.id desc limit 1 offset ${PAGES_A_ROUND}`

interface Found {
  last_at: number
  id: string
  key: number
  value: string
}

/**
 * Audit rows that a caller may see, newest first. Rows arrive in pages of about a second, so that the order is exact
 * within an answer and by arrival between answers. `has_more` with fewer rows than asked: the filter is rare, go on.
 */
export async function listAudit(
  system: Pick<System, 'auditDatabase'>,
  reach: AuditReach,
  filter: AuditFilter,
  input: { limit: number; cursor?: string | undefined },
): Promise<Page<AuditRow>> {
  const { limit } = input
  const db = system.auditDatabase
  const since = filter.since ?? 0
  const until = filter.until ?? MAX_DATE_MS
  let place = newestFirst.after(input)
  const shown: AuditRow[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const scope = [reach.tenantId, place[0], place[1], since, until] as const
    const [rows, [next]] = await db.batch<[Found, { last_at: number; id: string }]>([
      db.statement(
        ROUND,
        ...scope,
        place[2],
        reach.actor,
        reach.credentialId,
        JSON.stringify(reach.workspaceIds),
        JSON.stringify(reach.projectIds),
        filter.actor ?? null,
        filter.action ?? null,
        filter.resource_id ?? null,
        filter.project_id ?? null,
        new Date(since).toISOString(),
        new Date(until).toISOString(),
        limit - shown.length + 1,
      ),
      db.statement(LAST_PAGE, ...scope),
    ])
    const fitting = rows.slice(0, limit - shown.length)
    shown.push(...fitting.map((row): AuditRow => JSON.parse(row.value)))
    const last = fitting.at(-1)
    if (rows.length > fitting.length && last) return page(shown, placeOf(last))
    if (!next) return page(shown, null)
    // The next round begins with a page of which nothing was seen.
    place = [next.last_at, next.id, Number.MAX_SAFE_INTEGER]
  }
  return page(shown, place)
}

/** The last instant of four-digit years, so that texts compare like times. */
const MAX_DATE_MS = Date.UTC(9999, 11, 31)

const page = (rows: AuditRow[], next: Place | null): Page<AuditRow> => ({
  data: rows.toSorted((a, b) => (a.id < b.id ? 1 : -1)),
  has_more: next !== null,
  next_cursor: next && encodeCursor(next),
})
