import type { System } from '../../core/context.ts'
import { violatedConstraint } from '../../core/database/d1-errors.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { query, wholeRow } from '../../core/database/query.ts'
import { unavailable, type AppError } from '../../core/errors.ts'
import { FIRST_SHARD } from '../../core/shards.ts'
import { directoryDatabase } from './accounts.ts'
import { RESERVED_MS, spend, SPENT } from './reservation.ts'
import { settleClients } from './settle.ts'
import { client_directory } from './table.ts'

const insertClientEntry = query((db, row: typeof client_directory.$inferSelect) =>
  db.insert(client_directory).values(wholeRow(client_directory, row)),
)

/** Enters a client id that is about to be committed in another shard than the directory's, for a minute. */
export async function reserveClient(system: System, shard: string, id: string): Promise<void> {
  if (shard === FIRST_SHARD) return
  const row = { id, shard, expires_at: system.now() + RESERVED_MS }
  await directoryDatabase(system).write(insertClientEntry, row)
}

/** The statement by which the commit of an application enters its id, or spends its reservation. */
export const clientStatement = (system: System, db: Database, id: string): Statement =>
  db.shard === FIRST_SHARD
    ? db.statement(insertClientEntry, { id, shard: db.shard, expires_at: null })
    : spend(system, db, id)

/** Confirms the entry of an application that is committed. After a failure a sweep confirms it. */
export async function confirmClient(system: System, shard: string, id: string): Promise<void> {
  if (shard !== FIRST_SHARD) await settleClients(system, shard, [id])
}

/** The client's error for a violated constraint of `clientStatement`; null for any other error. */
export const clientFault = (error: unknown): AppError | null =>
  violatedConstraint(error) === SPENT ? unavailable('The directory', error) : null
