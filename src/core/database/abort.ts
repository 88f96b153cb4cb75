import type { Database, SqlValue, Statement } from './database.ts'

/**
 * SQL of a value that aborts the batch when SQLite computes it. D1 has no statement that rolls a batch back, so this one
 * parses a text that is no JSON: SQLite fails with "malformed JSON", and D1 undoes the whole batch.
 */
export const ABORT = `json('aborted')`

/** Aborts the batch unless `condition`, in SQL with a plain `?` for each of `values`, holds. */
export const abortUnless = (db: Database, condition: string, ...values: SqlValue[]): Statement =>
  db.statement(`select ${ABORT} where not (${condition})`, ...values)

/** The error is the one of `ABORT`: the batch wrote nothing. */
export const isAborted = (error: unknown): boolean => error instanceof Error && /malformed JSON/.test(error.message)
