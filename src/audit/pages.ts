import type { Database, Statement } from '../core/database/database.ts'
import type { AuditRow } from './record.ts'

/** A statement's JSON stays below D1's 2 MB for one bound value. */
const MAX_STATEMENT_CHARS = 500_000

/** Rows of one tenant that arrived together: one row of the audit database. */
export interface AuditPage {
  id: string
  tenant_id: string
  first_at: number
  last_at: number
  rows: AuditRow[]
}

/** One page a tenant; page ids follow from `id`, so that the same rows under the same id make the same pages. */
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

/** Statements that store pages, each once however often it comes. */
export function pageStatements(db: Database, pages: readonly AuditPage[]): Statement[] {
  const statements: Statement[] = []
  let portion: string[] = []
  let chars = 0
  const cut = () => {
    if (portion.length > 0) statements.push(db.statement(INSERT, `[${portion.join(',')}]`))
    portion = []
    chars = 0
  }
  for (const page of pages) {
    const json = JSON.stringify(page)
    if (chars + json.length > MAX_STATEMENT_CHARS) cut()
    portion.push(json)
    chars += json.length
  }
  cut()
  return statements
}

const INSERT = `
  insert into audit_pages (id, tenant_id, first_at, last_at, rows)
  select value ->> 'id', value ->> 'tenant_id', value ->> 'first_at', value ->> 'last_at', value -> 'rows'
  from json_each(?) where true on conflict (id) do nothing`
