import type { DatabaseKind } from '../shards.ts'
import type { Database } from './database.ts'
import { LATEST_MIGRATIONS } from './latest-migrations.ts'

const IS_MIGRATED = 'select 1 from d1_migrations where name = :name'

/** Whether a database has the last migration that this version needs. */
export const isMigrated = async (db: Database, kind: DatabaseKind): Promise<boolean> =>
  (await db.first(IS_MIGRATED, { name: LATEST_MIGRATIONS[kind] })) !== null

/** Throws where a migration is missing. */
export async function requireMigrated(db: Database, kind: DatabaseKind): Promise<void> {
  if (!(await isMigrated(db, kind))) throw new Error(`the migration ${LATEST_MIGRATIONS[kind]} is missing`)
}
