import { directory, tenants, users } from '../../auth/table.ts'
import { newRoutingId } from '../../auth/index.ts'
import type { System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { query, wholeRow } from '../../core/database/query.ts'
import { projects } from '../table.ts'
import { newWorkspace } from '../workspaces/new-workspace.ts'
import { DEFAULT_SETTINGS } from './user.ts'

export interface NewAccount {
  email: string
  name: string
  passwordHash: string | null
}

export interface AccountIds {
  tenantId: string
  userId: string
  routingId: string
  workspaceId: string
  projectId: string
}

/** Fails on `directory.email` where the address is taken. */
export const insertDirectoryEntry = query((db, row: typeof directory.$inferSelect) =>
  db.insert(directory).values(wholeRow(directory, row)),
)

const insertTenant = query((db, row: typeof tenants.$inferSelect) => db.insert(tenants).values(wholeRow(tenants, row)))

const insertUser = query((db, row: typeof users.$inferSelect) => db.insert(users).values(wholeRow(users, row)))

const insertProject = query((db, row: Omit<typeof projects.$inferInsert, 'code'>) =>
  db.insert(projects).values({
    id: row.id,
    tenant_id: row.tenant_id,
    workspace_id: row.workspace_id,
    name: row.name,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }),
)

/**
 * The statements that make a tenant with its first user as its owner, a workspace "Personal" and a project "Default" (contract §2).
 * The first of them fails on `directory.email` where the address is taken, and with it the whole batch.
 */
export function newAccount(
  system: System,
  db: Database,
  shard: string,
  account: NewAccount,
): { ids: AccountIds; statements: Statement[] } {
  const now = system.now()
  const ids: AccountIds = {
    tenantId: system.newId('ten'),
    userId: system.newId('usr'),
    routingId: newRoutingId(shard, system.random),
    workspaceId: system.newId('wsp'),
    projectId: system.newId('prj'),
  }
  const { tenantId, userId, routingId, workspaceId, projectId } = ids
  return {
    ids,
    statements: [
      db.statement(insertDirectoryEntry, { email: account.email, routing_id: routingId, user_id: userId }),
      db.statement(insertTenant, { id: tenantId, name: account.name, created_at: now, owner_id: userId }),
      db.statement(insertUser, {
        id: userId,
        tenant_id: tenantId,
        routing_id: routingId,
        kind: 'person',
        email: account.email,
        name: account.name,
        avatar_url: '',
        settings: JSON.stringify(DEFAULT_SETTINGS),
        password_hash: account.passwordHash,
        default_project_id: projectId,
        created_at: now,
        updated_at: now,
        deleted_at: null,
        joined_through: null,
      }),
      ...newWorkspace(db, { id: workspaceId, tenantId, name: 'Personal', ownerId: userId, now }),
      db.statement(insertProject, {
        id: projectId,
        tenant_id: tenantId,
        workspace_id: workspaceId,
        name: 'Default',
        created_by: userId,
        created_at: now,
        updated_at: now,
      }),
    ],
  }
}
