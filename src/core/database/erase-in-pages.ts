import type { Database, SqlValue } from './database.ts'

const PAGE = 2_000
/** Bounds one run, which shares the 1,000 queries of its invocation with others; what is left waits for the next. */
const MAX_PAGES = 50

/** Deletes the rows of a table for which `past`, a condition in SQL with its values, holds: page by page. */
export async function eraseInPages(db: Database, table: string, past: string, ...values: SqlValue[]): Promise<void> {
  const sql = `delete from ${table} where rowid in (select rowid from ${table} where ${past} limit ${PAGE}) returning 1`
  for (let page = 0; page < MAX_PAGES; page += 1) {
    if ((await db.write(sql, ...values)).length < PAGE) return
  }
}
