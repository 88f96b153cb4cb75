import type { Database } from '../../core/database/database.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/values/durations.ts'

const GIB = 1024 ** 3

/** Pages of this age leave the database, whatever its size. */
export const PAGES_KEPT_MS = 2 * DAY_MS
/** An audit database above this size gives up the pages of hours that have ended. */
export const ROOMY_BYTES = 1 * GIB
/** An audit database above this size gives up all pages but those of the last minutes. */
export const CROWDED_BYTES = 4 * GIB
/** Rows of a request arrive within a minute; after this long an hour is closed. */
const CLOSED_AFTER_MS = 5 * MINUTE_MS
/** The oldest pages of a database, of which the tenants with the most bytes come first. */
const PAGES_LOOKED_AT = 20_000
const TENANTS_A_RUN = 200

/** What must leave an audit database. */
export interface Due {
  /** Bound of `last_at`. */
  before: number
  /** Minimum number of bytes of rows to move; Infinity: all rows. */
  bytes: number
  /** Only pages that are newer than the objects of their tenant: a late page would overlap with them. */
  onlyNewer: boolean
}

/**
 * What the first rule that applies moves: for a crowded database, for pages past their age, for a large database.
 * `oldestAt` and `bytes` describe the database. Null: nothing must leave.
 */
export function dueOf(now: number, bytes: number, oldestAt: number | null): Due | null {
  if (oldestAt === null) return null
  const closed = now - CLOSED_AFTER_MS
  const rules: (Due & { above: number })[] = [
    { above: CROWDED_BYTES, before: closed, bytes: bytes - ROOMY_BYTES, onlyNewer: false },
    { above: 0, before: now - PAGES_KEPT_MS, bytes: Infinity, onlyNewer: false },
    { above: ROOMY_BYTES, before: closed - (closed % HOUR_MS), bytes: bytes - ROOMY_BYTES, onlyNewer: true },
  ]
  const rule = rules.find(({ above, before }) => bytes >= above && oldestAt < before)
  return rule ? { before: rule.before, bytes: rule.bytes, onlyNewer: rule.onlyNewer } : null
}

/** `last_at` of the oldest page in the database since an instant; null: there is none. */
export async function oldestPage(db: Database, since: number): Promise<number | null> {
  const oldest = await db.first<{ at: number | null }>(
    'select min(last_at) as at from audit_pages where last_at >= :since',
    { since },
  )
  return oldest?.at ?? null
}

/** Tenants with due pages, those with the most bytes first. */
export async function dueTenants(db: Database, keptSince: number, { before }: Due): Promise<string[]> {
  const rows = await db.all<{ tenant_id: string }>(
    `select tenant_id from (
       select tenant_id, octet_length(rows) as size from audit_pages indexed by audit_pages_by_age
       where last_at >= :kept_since and last_at < :before order by last_at limit ${PAGES_LOOKED_AT})
     group by tenant_id order by sum(size) desc, tenant_id limit ${TENANTS_A_RUN}`,
    { kept_since: keptSince, before },
  )
  return rows.map((row) => row.tenant_id)
}
