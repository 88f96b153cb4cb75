import type { KeyPermission, Scope, System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { and, joined, type Sql } from '../../core/database/sql.ts'

export interface NewKey {
  tenantId: string
  /** The user as whom the key acts, and the routing id of that user's hub. */
  userId: string
  routingId: string
  workspaceId: string | null
  createdBy: string
  name: string
  environment: 'live' | 'test'
  scopes: readonly Scope[]
  permissions: readonly KeyPermission[] | null
  expiresAt: number | null
}

/**
 * Makes a key: the statement that stores it, and the secret that is shown once. `onlyIf` is the condition under which the
 * key is stored.
 */
export async function newKey(
  system: System,
  db: Database,
  key: NewKey,
  onlyIf: Sql = and(),
): Promise<{ id: string; secret: string; statement: Statement }> {
  const id = system.newId('key')
  const { token, hash } = await system.tokens.mint(`rck_${key.environment}`, key.routingId, system.random)
  const statement = db.statement(
    `insert into api_keys (id, tenant_id, user_id, workspace_id, created_by, name, environment, token_hash, last_four,
       scopes, permissions, expires_at, created_at)
     select :key_id, :key_tenant, :key_user, :key_workspace, :key_creator, :key_name, :key_environment, :key_hash,
       :key_last_four, :key_scopes, :key_permissions, :key_expires_at, :key_created_at
     where ${onlyIf.sql}`,
    joined(
      {
        key_id: id,
        key_tenant: key.tenantId,
        key_user: key.userId,
        key_workspace: key.workspaceId,
        key_creator: key.createdBy,
        key_name: key.name,
        key_environment: key.environment,
        key_hash: hash,
        key_last_four: token.slice(-4),
        key_scopes: JSON.stringify(key.scopes),
        key_permissions: key.permissions === null ? null : JSON.stringify(key.permissions),
        key_expires_at: key.expiresAt,
        key_created_at: system.now(),
      },
      onlyIf.params,
    ),
  )
  return { id, secret: token, statement }
}
