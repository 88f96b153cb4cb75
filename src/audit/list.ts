import { z } from 'zod'
import type { System } from '../core/context.ts'
import { encodeCursor, listOrder, type Page } from '../core/http/cursor.ts'
import type { AuditRow } from './record.ts'

/**
 * A round searches this many pages, and a call this many rounds. After that the call answers what it found and a cursor.
 */
const PAGES_A_ROUND = 100
const MAX_ROUNDS = 5

/** The rows of a tenant that a caller may see: those of this user, credential, and workspaces and projects. */
export interface AuditVisibility {
  tenantId: string
  /** null: of no user. */
  actor: string | null
  credentialId: string
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

/** Where a list continues: `last_at` and id of a page, and the first of its rows that was shown. */
const PositionSchema = z.tuple([z.number(), z.string(), z.number()])
type Position = z.infer<typeof PositionSchema>
const START: Position = [Number.MAX_SAFE_INTEGER, '', 0]
const positionOf = (row: PageRow): Position => [row.last_at, row.id, row.key]
const newestFirst = listOrder(PositionSchema, START, positionOf)

const SCOPE = `p.tenant_id = ?1 and p.last_at >= ?4 and p.first_at < ?5 and (p.last_at < ?2 or (p.last_at = ?2 and p.id <= ?3))`

/** Rows of a round, newest first. The previous answer showed the rows from `?6` on of the page at the cursor. */
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

interface PageRow {
  last_at: number
  id: string
  key: number
  value: string
}

/**
 * Audit rows that a caller may see, newest first. Rows arrive in pages of about a second, so the order is exact within
 * an answer and by arrival between answers. With a rare filter an answer with `has_more` may hold fewer rows than asked.
 */
export async function listAudit(
  system: Pick<System, 'auditDatabase'>,
  visibility: AuditVisibility,
  filter: AuditFilter,
  input: { limit: number; cursor?: string | undefined },
): Promise<Page<AuditRow>> {
  const { limit } = input
  const db = system.auditDatabase
  const since = filter.since ?? 0
  const until = filter.until ?? MAX_DATE_MS
  let position = newestFirst.after(input)
  const shown: AuditRow[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const scope = [visibility.tenantId, position[0], position[1], since, until] as const
    const [rows, [next]] = await db.batch<[PageRow, { last_at: number; id: string }]>([
      db.statement(
        ROUND,
        ...scope,
        position[2],
        visibility.actor,
        visibility.credentialId,
        JSON.stringify(visibility.workspaceIds),
        JSON.stringify(visibility.projectIds),
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
    if (rows.length > fitting.length && last) return page(shown, positionOf(last))
    if (!next) return page(shown, null)
    // The next round begins with a page of which nothing was shown.
    position = [next.last_at, next.id, Number.MAX_SAFE_INTEGER]
  }
  return page(shown, position)
}

/** The last day with a year of four digits, so that texts compare like times. */
const MAX_DATE_MS = Date.UTC(9999, 11, 31)

const page = (rows: AuditRow[], next: Position | null): Page<AuditRow> => ({
  data: rows.toSorted((a, b) => (a.id < b.id ? 1 : -1)),
  has_more: next !== null,
  next_cursor: next && encodeCursor(next),
})
