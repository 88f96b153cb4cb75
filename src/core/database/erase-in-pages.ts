import type { Database } from './database.ts'
import type { Sql } from './sql.ts'

const PAGE = 2_000
/** Of one run: 100,000 rows. */
const MAX_PAGES = 50

/** Deletes the rows of a table for which the condition holds, page by page. Answers whether there may be more. */
export async function eraseInPages(db: Database, table: string, { sql, params }: Sql): Promise<boolean> {
  const page = `delete from ${table} where rowid in (select rowid from ${table} where ${sql} limit ${PAGE}) returning 1`
  for (let erased = 0; erased < MAX_PAGES && !(erased > 0 && db.isSpent); erased += 1) {
    if ((await db.write(page, params)).length < PAGE) return false
  }
  return true
}
