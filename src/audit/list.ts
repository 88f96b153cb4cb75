import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import type { Page } from '../core/http/cursor.ts'
import { sealCursor, unsealCursor } from '../core/http/sealed-cursor.ts'
import { findObjects, type ListedObject } from './objects/index-rows.ts'
import { merge, ObjectReader, type Round } from './objects/merge.ts'
import { beforePage, earlier, PositionSchema, START, type Position } from './position.ts'
import type { AuditRow } from './record.ts'
import { timeOf, VISIBLE, visibleValues, type AuditFilter, type AuditVisibility } from './visible.ts'

/**
 * A round searches this many pages, and a call this many rounds. After that the call answers what it found and a cursor.
 */
const PAGES_A_ROUND = 100
/** A round also ends after this many bytes of rows: SQLite parses them as JSON, 1 MiB in 25 ms. A page has at most 128 KB. */
const MAX_ROUND_BYTES = 1024 * 1024
const MAX_ROUNDS = 5
/** The name of the list to which its cursors belong. */
const LIST = 'audit'
/** A round knows this many objects behind its position; a call opens no more of them. */
const OBJECTS_A_ROUND = 5

const SCOPE = `p.tenant_id = :tenant and p.last_at >= :since and p.first_at < :until
  and p.last_at <= :last_at and (p.last_at < :last_at or p.id <= :page)`

/** The pages of a round in order, and one more. `n` is the number of a page, `bytes` the size of all pages up to it. */
const SIZED = `
  select id, last_at, row_number() over sized as n, sum(size) over sized as bytes
  from (select p.id, p.last_at, octet_length(p.rows) as size from audit_pages p where ${SCOPE}
    order by p.last_at desc, p.id desc limit ${PAGES_A_ROUND + 1})
  window sized as (order by last_at desc, id desc rows unbounded preceding)`
/** SQL: this page of `SIZED` belongs to the next round. */
const IS_NEXT = `n > ${PAGES_A_ROUND} or (n > 1 and bytes > ${MAX_ROUND_BYTES})`

/** Rows of a round, newest first. The previous answer showed the rows from `:shown_from` on of the page at the cursor. */
const ROUND = `
  with pages as materialized (select id from (${SIZED}) where not (${IS_NEXT}))
  select p.last_at, p.id, r.key, r.value
  from pages s cross join audit_pages p on p.id = s.id cross join json_each(p.rows) r
  where not (p.id = :page and r.key >= :shown_from) and ${VISIBLE}
  order by p.last_at desc, p.id desc, r.key desc limit :limit`

const NEXT_PAGE = `select last_at, id from (${SIZED}) where ${IS_NEXT} order by n limit 1`

interface PageRow {
  last_at: number
  id: string
  key: number
  value: string
}

/**
 * Audit rows that a caller may see, newest first, from the database and from the objects that pages were moved to. Rows
 * arrive in pages of about a second, so the order is exact within an answer and by arrival between answers. An answer
 * with `has_more` may hold fewer rows than asked, with a rare filter or where further objects would have to be opened.
 * A cursor is sealed: its page may have rows of other people alone, and its place in the page counts theirs.
 */
export async function listAudit(
  system: Pick<System, 'auditObjects' | 'config' | 'dataKeys' | 'log' | 'now' | 'random'>,
  audit: Database,
  visibility: AuditVisibility,
  filter: AuditFilter,
  input: { limit: number; cursor?: string | undefined },
): Promise<Page<AuditRow>> {
  const { limit, cursor } = input
  const { tenantId } = visibility
  const page = async (rows: AuditRow[], next: Position | null): Promise<Page<AuditRow>> => ({
    data: rows.toSorted((a, b) => (a.id < b.id ? 1 : -1)),
    has_more: next !== null,
    next_cursor: next && (await sealCursor(system, LIST, tenantId, next)),
  })
  let position = cursor ? await unsealCursor(system, LIST, tenantId, PositionSchema, cursor) : START
  const shown: AuditRow[] = []
  const objects = new ObjectReader(system, visibility, filter, { position, limit })
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = await readRound(audit, { visibility, filter, position, limit: limit - shown.length + 1 }, objects)
    const { rows, next, isLast } = await merge(found, objects, limit - shown.length, shown.length > 0)
    shown.push(...rows)
    if (next === null || isLast) return page(shown, next)
    position = next
  }
  return page(shown, position)
}

interface Asked {
  visibility: AuditVisibility
  filter: AuditFilter
  position: Position
  limit: number
}

/** One look at both stores in one transaction, in which each page is in exactly one of them. */
async function readRound(
  audit: Database,
  { visibility, filter, position, limit }: Asked,
  { keptSince }: ObjectReader,
): Promise<Round> {
  const { since, until } = timeOf(filter)
  const [lastAt, id, key] = position
  const scope = { tenant: visibility.tenantId, last_at: lastAt, page: id, since, until }
  const [rows, [next], straddling, following] = await audit.batch<
    [PageRow, Pick<PageRow, 'last_at' | 'id'>, ListedObject, ListedObject]
  >([
    audit.statement(ROUND, { ...scope, ...visibleValues(visibility, filter), shown_from: key, limit }),
    audit.statement(NEXT_PAGE, scope),
    ...findObjects(
      audit,
      { tenantId: visibility.tenantId, lastAt, id, since: Math.max(since, keptSince), until },
      OBJECTS_A_ROUND + 1,
    ),
  ])
  const beyond = following[OBJECTS_A_ROUND]
  return {
    position,
    rows: rows.map((row) => ({ at: [row.last_at, row.id, row.key], row: JSON.parse(row.value) })),
    objects: [...straddling, ...following.slice(0, OBJECTS_A_ROUND)],
    // The next round begins with a page of which nothing was shown.
    next: earlier(
      next ? beforePage(next.last_at, next.id) : null,
      beyond ? beforePage(beyond.newest_at, beyond.newest_id) : null,
    ),
  }
}
