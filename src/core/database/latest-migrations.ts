/** The last migration that each kind of database needs. `npm run docs` writes this file. */
export const LATEST_MIGRATIONS = {
  DB: '0034_webhook_health.sql',
  AUDIT_DB: '0005_audit_reindexes.sql',
} as const
