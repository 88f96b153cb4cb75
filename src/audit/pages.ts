import type { Database, Statement } from '../core/database/database.ts'
import { slices } from '../core/database/slices.ts'
import type { AuditRow } from './record.ts'

/** Rows of one tenant that arrived together: one row of the audit database. */
export interface AuditPage {
  id: string
  tenant_id: string
  first_at: number
  last_at: number
  rows: AuditRow[]
}

/** A page that is full is followed by another one of the same rows; D1 takes rows of 2 MB. */
export const MAX_PAGE_CHARACTERS = 128 * 1024

/**
 * One page a tenant, or several where its rows are many. Page ids follow from `id`: the same rows under the same id make the
 * same pages.
 */
export function toPages(id: string, rows: readonly AuditRow[]): AuditPage[] {
  const all: AuditPage[] = []
  const open = new Map<string, { page: AuditPage; size: number; number: number }>()
  for (const row of rows) {
    const { tenant_id } = row
    const at = Date.parse(row.at)
    const size = JSON.stringify(row).length
    let last = open.get(tenant_id)
    if (!last || last.size + size > MAX_PAGE_CHARACTERS) {
      const number = (last?.number ?? 0) + 1
      const page = {
        id: `${id}:${tenant_id}${number === 1 ? '' : `:${number}`}`,
        tenant_id,
        first_at: at,
        last_at: at,
        rows: [],
      }
      open.set(tenant_id, (last = { page, size: 0, number }))
      all.push(page)
    }
    const { page } = last
    last.size += size
    page.rows.push(row)
    page.first_at = Math.min(page.first_at, at)
    page.last_at = Math.max(page.last_at, at)
  }
  return all
}

/** Rows that may come again under this id after their pages have left the database. */
interface Claim {
  id: string
  now: number
}

/** Statements that store pages; a page that is there already stays as it is. The rows of a claim are stored once in all. */
export const pageStatements = (db: Database, pages: readonly AuditPage[], claim: Claim | null = null): Statement[] => [
  ...slices(pages).map((json) => db.statement(INSERT, { pages: json, claim: claim?.id ?? null })),
  ...(claim === null ? [] : [db.statement(CONSUMED, { claim: claim.id, now: claim.now })]),
]

const INSERT = `
  insert into audit_pages (id, tenant_id, first_at, last_at, rows)
  select value ->> 'id', value ->> 'tenant_id', value ->> 'first_at', value ->> 'last_at', value -> 'rows'
  from json_each(:pages) where not exists (select 1 from consumed where id = :claim) on conflict (id) do nothing`

const CONSUMED = 'insert into consumed (id, at) values (:claim, :now) on conflict (id) do nothing'
