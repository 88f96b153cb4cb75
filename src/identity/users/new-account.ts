import { newRoutingId } from '../../auth/index.ts'
import type { System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
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

/**
 * The statements that make a tenant with its first user, a workspace "Personal" and a project "Default" (contract §2).
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
  return {
    ids,
    statements: [
      db.statement(
        'insert into directory (email, routing_id, user_id) values (?, ?, ?)',
        account.email,
        ids.routingId,
        ids.userId,
      ),
      db.statement('insert into tenants (id, name, created_at) values (?, ?, ?)', ids.tenantId, account.name, now),
      db.statement(
        `insert into users (id, tenant_id, routing_id, kind, email, name, settings, password_hash, default_project_id, created_at, updated_at)
         values (?, ?, ?, 'person', ?, ?, ?, ?, ?, ?, ?)`,
        ids.userId,
        ids.tenantId,
        ids.routingId,
        account.email,
        account.name,
        JSON.stringify(DEFAULT_SETTINGS),
        account.passwordHash,
        ids.projectId,
        now,
        now,
      ),
      db.statement(
        `insert into workspaces (id, tenant_id, name, created_by, created_at, updated_at) values (?, ?, 'Personal', ?, ?, ?)`,
        ids.workspaceId,
        ids.tenantId,
        ids.userId,
        now,
        now,
      ),
      db.statement(
        `insert into workspace_members (workspace_id, user_id, tenant_id, role, created_at) values (?, ?, ?, 'owner', ?)`,
        ids.workspaceId,
        ids.userId,
        ids.tenantId,
        now,
      ),
      db.statement(
        `insert into projects (id, tenant_id, workspace_id, name, created_by, created_at, updated_at) values (?, ?, ?, 'Default', ?, ?, ?)`,
        ids.projectId,
        ids.tenantId,
        ids.workspaceId,
        ids.userId,
        now,
        now,
      ),
    ],
  }
}
