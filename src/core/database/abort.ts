import type { Database, Statement } from './database.ts'
import type { Sql } from './sql.ts'

/**
 * SQL of a value that aborts the batch when SQLite computes it. D1 has no statement that rolls a batch back, so this one
 * parses a text that is no JSON: SQLite fails with "malformed JSON", and D1 undoes the whole batch.
 */
export const ABORT = `json('aborted')`

/** Aborts the batch unless the condition holds. */
export const abortUnless = (db: Database, { sql, params }: Sql): Statement =>
  db.statement(`select ${ABORT} where not (${sql})`, params)

/** The error is the one of `ABORT`: the batch wrote nothing. */
export const isAborted = (error: unknown): boolean => error instanceof Error && /malformed JSON/.test(error.message)
