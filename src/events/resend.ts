import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'

/** Rows that one statement marks as sent again. */
export const RESEND_ROWS = 1_000
/** 10,000 rows a minute, so that the backlog of an hour is gone within few minutes. */
const MAX_ROUNDS = 10

/** Sends rows again, in rounds. `claim` is an update that moves `resend_at` (?1: now) of `RESEND_ROWS` rows and returns their ids. */
export async function resend(
  system: System,
  db: Database,
  claim: string,
  enqueue: (rows: { id: string }[]) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const rows = await db.write<{ id: string }>(claim, system.now())
    await enqueue(rows)
    if (rows.length < RESEND_ROWS) return
  }
}
