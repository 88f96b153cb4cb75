import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { timeOfId } from '../core/values/ids.ts'
import { pageStatements, toPages } from './pages.ts'
import type { AuditRow } from './record.ts'

const PORTION = 200
const MAX_PORTIONS = 25
/** A portion that was claimed and is still there after this long belongs to a mover that died. */
const LEASE_MS = 60_000

/**
 * Moves the rows that writes committed from a shard's outbox to the audit database. The two share no commit, so a
 * portion first gets the name of its page: however often it is moved, the same rows make the same page.
 */
export async function moveOutbox(system: System, shard: string): Promise<void> {
  const db = system.database(shard)
  const pending = await db.all<{ page_id: string }>(
    'select distinct page_id from audit_outbox where page_id is not null',
  )
  for (const { page_id } of pending) {
    if (timeOfId(page_id) < system.now() - LEASE_MS) {
      const rows = await db.all<{ row: string }>('select row from audit_outbox where page_id = ?', page_id)
      await movePortion(system, db, page_id, rows)
    }
  }
  for (let portion = 0; portion < MAX_PORTIONS; portion++) {
    const page = system.newId('aud')
    const rows = await db.write<{ row: string }>(
      `update audit_outbox set page_id = ? where id in (
         select id from audit_outbox where page_id is null order by created_at limit ${PORTION}) returning row`,
      page,
    )
    await movePortion(system, db, page, rows)
    if (rows.length < PORTION) return
  }
}

async function movePortion(system: System, db: Database, page: string, rows: { row: string }[]): Promise<void> {
  if (rows.length === 0) return
  const parsed = rows.map(({ row }): AuditRow => JSON.parse(row))
  const ordered = parsed.sort((a, b) => (a.id < b.id ? -1 : 1))
  await system.auditDatabase.batch(pageStatements(system.auditDatabase, toPages(page, ordered)))
  await db.write('delete from audit_outbox where page_id = ?', page)
}
