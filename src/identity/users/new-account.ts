import { tenants, users } from '../../auth/table.ts'
import { addressStatements, newRoutingId } from '../../auth/index.ts'
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

const insertTenant = query((db, row: typeof tenants.$inferSelect) => db.insert(tenants).values(wholeRow(tenants, row)))

/** Writes nothing where there is a tenant, and then the batch fails on the foreign key of its user. */
const INSERT_FIRST_TENANT = `insert into tenants (id, name, created_at, owner_id)
  select :id, :name, :now, :owner
  where not exists (select 1 from tenants) and not exists (select 1 from tenant_directory where id <> :id)`

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

/** The workspace of a sign-up. It has one member, so nobody has to name it. */
export const FIRST_WORKSPACE_NAME = 'Personal'

/**
 * The statements that make a tenant with its first user as its owner, a workspace "Personal" and a project "Default" (contract §2).
 * The first of them fails where the address is taken, and with it the whole batch (`addressStatements`).
 * `onlyIfFirst`: the batch fails on a foreign key where there is any tenant.
 */
export function newAccount(
  system: System,
  db: Database,
  shard: string,
  account: NewAccount,
  onlyIfFirst = false,
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
      ...addressStatements(system, db, { email: account.email, routingId, userId, tenantId }),
      onlyIfFirst
        ? db.statement(INSERT_FIRST_TENANT, { id: tenantId, name: account.name, now, owner: userId })
        : db.statement(insertTenant, { id: tenantId, name: account.name, created_at: now, owner_id: userId }),
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
        purged_at: null,
      }),
      ...newWorkspace(db, { id: workspaceId, tenantId, name: FIRST_WORKSPACE_NAME, ownerId: userId, now }),
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
