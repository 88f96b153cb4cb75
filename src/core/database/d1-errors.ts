/**
 * A statement or a value of ours that D1 refuses, and will refuse again: a constraint, the syntax, a type, a size. Nothing
 * was committed. Every other failure of D1 is its own, and may pass.
 */
export const isRefused = (error: unknown): boolean =>
  error instanceof Error &&
  /SQLITE_(?:ERROR|CONSTRAINT\w*|MISMATCH|TOOBIG|RANGE|MISUSE|AUTH)\b|D1_(?:TYPE_ERROR|COLUMN_NOTFOUND|EXEC_ERROR)|constraint failed|syntax error|No SQL statements/i.test(
    error.message,
  )

/** The database, or the account of all databases, has no more room. Nothing was committed, and reads are answered. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error &&
  /SQLITE_FULL|exceeded maximum db size|exceeded D1's maximum account storage/i.test(error.message)

/** The database lacks a migration that this version needs. `/ready` says so. */
export const isBehind = (error: unknown): boolean =>
  error instanceof Error && /no such (table|column)|has no column named/.test(error.message)

/** The name of a violated unique constraint (`table.column`), or null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  return /UNIQUE constraint failed: ([\w.]+)/.exec(error.message)?.[1] ?? null
}

/** Whether a foreign key refused a batch: a row that one of its statements refers to is not there. */
export const brokeForeignKey = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('FOREIGN KEY constraint failed')
