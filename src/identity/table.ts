import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { tenants, users } from '../auth/table.ts'

export const ROLES = ['owner', 'admin', 'editor', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export const workspaces = sqliteTable(
  'workspaces',
  {
    id: text().primaryKey(),
    tenant_id: text()
      .notNull()
      .references(() => tenants.id),
    name: text().notNull(),
    created_by: text().notNull(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    deleted_at: integer(),
    /** When no event was left of a deleted workspace. Null: there may be some. */
    purged_at: integer(),
  },
  (t) => [
    index('workspaces_by_tenant').on(t.tenant_id),
    index('workspaces_to_purge')
      .on(t.deleted_at)
      .where(sql`deleted_at is not null and purged_at is null`),
  ],
)

export const workspace_members = sqliteTable(
  'workspace_members',
  {
    workspace_id: text()
      .notNull()
      .references(() => workspaces.id),
    user_id: text()
      .notNull()
      .references(() => users.id),
    tenant_id: text().notNull(),
    role: text({ enum: ROLES }).notNull(),
    created_at: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspace_id, t.user_id] }), index('workspace_members_by_user').on(t.user_id)],
)

/** Open invitations. One that is accepted, withdrawn or replaced is deleted. */
export const invitations = sqliteTable(
  'invitations',
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    workspace_id: text()
      .notNull()
      .references(() => workspaces.id),
    email: text().notNull(),
    role: text({ enum: ROLES }).notNull(),
    token_hash: text().notNull(),
    created_by: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
  },
  (t) => [
    uniqueIndex('invitations_by_token_hash').on(t.token_hash),
    index('invitations_by_workspace').on(t.workspace_id),
    index('invitations_by_email').on(t.tenant_id, t.email),
    index('invitations_by_expiry').on(t.expires_at),
  ],
)

export const projects = sqliteTable(
  'projects',
  {
    /** Short number of the project in the keyword index. */
    code: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    tenant_id: text()
      .notNull()
      .references(() => tenants.id),
    workspace_id: text()
      .notNull()
      .references(() => workspaces.id),
    name: text().notNull(),
    description: text().notNull().default(''),
    icon: text().notNull().default(''),
    created_by: text().notNull(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    deleted_at: integer(),
    /** Set once the items and vectors of a deleted project are erased. */
    purged_at: integer(),
    /** JSON array of rules on how long items are kept; null: none. It stands last because the writes of items alone read it. */
    retention: text(),
    /** JSON of what differs from the defaults of the guard (`projects/guard.ts`); null: nothing. */
    guard: text(),
  },
  (t) => [
    uniqueIndex('projects_by_id').on(t.id),
    index('projects_by_workspace').on(t.workspace_id, t.created_at),
    index('projects_to_purge')
      .on(t.deleted_at)
      .where(sql`deleted_at is not null and purged_at is null`),
  ],
)
