/** Messages of D1 that mean "try again": overload, a reset of the object behind it, a lost connection. */
export const isTransient = (error: unknown): boolean =>
  error instanceof Error &&
  /overloaded|D1_ERROR: (Network|Internal)|storage.*reset|exceeded its CPU|timed? ?out/i.test(error.message)

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
