import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const ACCOUNT_CLASSES = ['users', 'service_accounts'] as const
export type AccountClass = (typeof ACCOUNT_CLASSES)[number]

/** Limits that an operator set, each in place of one of the table (contract §6). */
export const limit_settings = sqliteTable(
  'limit_settings',
  {
    /** The id of a tenant, a user or a key; `deployment`: everybody. */
    subject: text().notNull(),
    /** `service_accounts`: of a tenant or of the deployment, for the accounts of workspace keys alone. */
    account_class: text({ enum: ACCOUNT_CLASSES }).notNull(),
    /** Of `limits.ts`. */
    name: text().notNull(),
    permits: integer().notNull(),
    /** The id by which a hub finds it: the subject, or for a key its user. */
    holder: text().notNull(),
    /** Null: it is of no tenant but of the deployment. */
    tenant_id: text(),
    updated_at: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subject, t.account_class, t.name] }),
    index('limit_settings_by_holder').on(t.holder),
  ],
)
