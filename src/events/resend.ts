import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import type { RowOf } from '../core/database/row.ts'
import type { deliveries, events } from './table.ts'

type SentRow = RowOf<typeof events | typeof deliveries, 'id'>

/** Rows that one statement marks as sent again. */
export const RESEND_ROWS = 1_000
/** 10,000 rows of one run, so that the backlog of an hour is gone within few of them. */
const MAX_ROUNDS = 10

/** Sends rows again, in rounds, and answers whether there may be more. `claim` is an update that moves `resend_at` of `RESEND_ROWS` rows that are due `:now`, and returns their ids. */
export async function resend(
  system: System,
  db: Database,
  claim: string,
  enqueue: (rows: SentRow[]) => Promise<unknown>,
): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const rows = await db.write<SentRow>(claim, { now: system.now() })
    await enqueue(rows)
    if (rows.length < RESEND_ROWS) return false
  }
  return true
}
