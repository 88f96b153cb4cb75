import type { Database, SqlValue } from './database.ts'

const PAGE = 2_000
/** Of one run: 100,000 rows. */
const MAX_PAGES = 50

/**
 * Deletes the rows of a table for which `past`, a condition in SQL with its values, holds: page by page. Answers whether
 * there may be more.
 */
export async function eraseInPages(db: Database, table: string, past: string, ...values: SqlValue[]): Promise<boolean> {
  const sql = `delete from ${table} where rowid in (select rowid from ${table} where ${past} limit ${PAGE}) returning 1`
  for (let page = 0; page < MAX_PAGES && !(page > 0 && db.isSpent); page += 1) {
    if ((await db.write(sql, ...values)).length < PAGE) return false
  }
  return true
}
