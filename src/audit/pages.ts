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

/** One page a tenant. Page ids follow from `id`: the same rows under the same id make the same pages. */
export function toPages(id: string, rows: readonly AuditRow[]): AuditPage[] {
  const pages = new Map<string, AuditPage>()
  for (const row of rows) {
    const at = Date.parse(row.at)
    let page = pages.get(row.tenant_id)
    if (!page) {
      page = { id: `${id}:${row.tenant_id}`, tenant_id: row.tenant_id, first_at: at, last_at: at, rows: [] }
      pages.set(row.tenant_id, page)
    }
    page.rows.push(row)
    page.first_at = Math.min(page.first_at, at)
    page.last_at = Math.max(page.last_at, at)
  }
  return [...pages.values()]
}

/** Statements that store pages; a page that is there already stays as it is. */
export const pageStatements = (db: Database, pages: readonly AuditPage[]): Statement[] =>
  slices(pages).map((json) => db.statement(INSERT, json))

const INSERT = `
  insert into audit_pages (id, tenant_id, first_at, last_at, rows)
  select value ->> 'id', value ->> 'tenant_id', value ->> 'first_at', value ->> 'last_at', value -> 'rows'
  from json_each(?) where true on conflict (id) do nothing`
