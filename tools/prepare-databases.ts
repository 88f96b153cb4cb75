import { DatabaseSync } from 'node:sqlite'
import { applyMigrations, type LocalDatabase } from './local-databases.ts'

/**
 * Applies the migrations to each database. Returns a line about each one that fails: its shard answers 503 while the others
 * run. Throws where all of them fail, which no single file explains.
 */
export async function prepareDatabases(databases: readonly LocalDatabase[]): Promise<string[]> {
  const failures: (LocalDatabase & { error: Error })[] = []
  for (const one of databases) {
    try {
      await applyMigrations(one)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      failures.push({ ...one, error })
    }
  }
  const [first] = failures
  if (first && failures.length === databases.length) throw new Error(causeOf(first), { cause: first.error })
  return failures.map(
    (failure) =>
      `${failure.binding} cannot be prepared, so its shard is down: ${causeOf(failure)}. If its file is damaged, restore it from a backup.`,
  )
}

/** What is wrong. Of a file that SQLite cannot read, D1 says only "internal error". */
function causeOf({ file, error }: { file: string; error: Error }): string {
  try {
    using database = new DatabaseSync(file, { readOnly: true })
    database.prepare('select count(*) from sqlite_schema').get()
    return error.message
  } catch (unreadable) {
    return unreadable instanceof Error ? unreadable.message : error.message
  }
}
