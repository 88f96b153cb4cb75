import type { System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { query, wholeRow } from '../../core/database/query.ts'
import { spent_reservations } from './table.ts'
import { MINUTE_MS } from '../../core/values/durations.ts'

/** A reservation that nobody has confirmed for this long is settled by the next request that meets it. */
export const RESERVED_MS = MINUTE_MS

/** The constraint that a commit violates whose reservation was given up. */
export const SPENT = 'spent_reservations.id'

const insertSpent = query((db, row: typeof spent_reservations.$inferSelect) =>
  db.insert(spent_reservations).values(wholeRow(spent_reservations, row)),
)

/**
 * The statement by which a commit spends the reservation of an id. A request that settles the reservation spends it too, so either
 * the commit takes place or the entry is erased, whatever comes late.
 */
export const spend = (system: Pick<System, 'now'>, db: Database, id: string): Statement =>
  db.statement(insertSpent, { id, created_at: system.now() })
