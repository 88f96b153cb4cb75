/** The last migration that each kind of database needs. `npm run docs` writes this file. */
export const LATEST_MIGRATIONS = {
  DB: '0031_tombstones.sql',
  AUDIT_DB: '0005_audit_reindexes.sql',
} as const
