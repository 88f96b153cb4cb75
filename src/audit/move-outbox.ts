import { eq, isNotNull } from 'drizzle-orm'
import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { columnsOf } from '../core/database/columns.ts'
import { query } from '../core/database/query.ts'
import { timeOfId } from '../core/values/ids.ts'
import { pageStatements, toPages } from './pages.ts'
import type { AuditRow } from './record.ts'
import { audit_outbox } from './table.ts'
import { MINUTE_MS } from '../core/values/durations.ts'

const PORTION = 200
const MAX_PORTIONS = 25
/** A portion that is still claimed after this long belongs to a mover that died. */
const LEASE_MS = MINUTE_MS
/** Stands before the page id of a portion whose move failed: the next mover takes it without waiting for the lease. */
const FAILED = 'failed:'

type OutboxRow = Pick<typeof audit_outbox.$inferSelect, 'row' | 'created_at'>

const claims = query((db) =>
  db.selectDistinct({ page_id: audit_outbox.page_id }).from(audit_outbox).where(isNotNull(audit_outbox.page_id)),
)

const rowsOfClaim = query((db, by: { claim: string }) =>
  db
    .select(columnsOf(audit_outbox, 'row', 'created_at'))
    .from(audit_outbox)
    .where(eq(audit_outbox.page_id, by.claim)),
)

const deleteClaim = query((db, by: { claim: string }) =>
  db.delete(audit_outbox).where(eq(audit_outbox.page_id, by.claim)),
)

const renameClaim = query((db, by: { claim: string; to: string }) =>
  db.update(audit_outbox).set({ page_id: by.to }).where(eq(audit_outbox.page_id, by.claim)),
)

/**
 * Moves the rows that writes committed from a shard's outbox to the audit database. The two share no commit, so a
 * portion gets the id of its page first: the same rows make the same page however often they are moved.
 * A failure ends the call and is thrown; the next call begins with the portion that failed. Answers whether there may be more.
 */
export async function moveOutbox(system: System, shard: string): Promise<boolean> {
  const db = system.database(shard)
  for (const claim of await abandonedClaims(system, db)) {
    if (db.isSpent) return true
    await movePortion(system, db, claim, () => rowsOf(system, db, claim))
  }
  for (let portion = 0; portion < MAX_PORTIONS && !db.isSpent; portion++) {
    const page = system.newId('aud')
    if ((await movePortion(system, db, page, () => claimRows(db, page))) < PORTION) return false
  }
  return true
}

/** The claims of movers that failed, and the claims whose lease is over. */
async function abandonedClaims(system: System, db: Database): Promise<string[]> {
  const died = (claim: string): boolean => timeOfId(claim) < system.now() - LEASE_MS
  const all = (await db.all(claims, {})).map((row) => row.page_id ?? '')
  return all.filter((claim) => claim.startsWith(FAILED) || died(claim))
}

async function rowsOf(system: System, db: Database, claim: string): Promise<OutboxRow[]> {
  const rows = await db.all(rowsOfClaim, { claim })
  const oldest = Math.min(...rows.map((row) => row.created_at))
  if (rows.length > 0) system.log.info({ event: 'audit.delayed', rows: rows.length, late_ms: system.now() - oldest })
  return rows
}

const claimRows = (db: Database, page: string): Promise<OutboxRow[]> =>
  db.write<OutboxRow>(
    `update audit_outbox set page_id = :page where id in (
       select id from audit_outbox where page_id is null order by created_at limit ${PORTION}) returning row, created_at`,
    { page },
  )

/** Stores the rows of a claim as pages and deletes them; answers how many they were. */
async function movePortion(
  system: System,
  db: Database,
  claim: string,
  read: () => Promise<OutboxRow[]>,
): Promise<number> {
  try {
    const rows = await read()
    if (rows.length === 0) return 0
    const parsed = rows.map(({ row }): AuditRow => JSON.parse(row))
    const ordered = parsed.sort((a, b) => (a.id < b.id ? -1 : 1))
    const id = claim.replace(FAILED, '')
    const audit = system.auditDatabase(db.shard)
    await audit.batch(pageStatements(audit, toPages(id, ordered), { id, now: system.now() }))
    await db.write(deleteClaim, { claim })
    return rows.length
  } catch (error) {
    system.log.error({ event: 'audit.move_failed', page: claim }, error)
    await markFailed(system, db, claim)
    throw error
  }
}

/** If this fails too, the next mover waits for the end of the lease. */
async function markFailed(system: System, db: Database, claim: string): Promise<void> {
  if (claim.startsWith(FAILED)) return
  try {
    await db.write(renameClaim, { claim, to: FAILED + claim })
  } catch (error) {
    system.log.error({ event: 'audit.move_not_released', page: claim }, error)
  }
}
