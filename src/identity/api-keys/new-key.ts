import type { KeyPermission, Scope, System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'

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
 * Makes a key: the statement that stores it, and the secret that is shown once. `onlyIf` is a condition in SQL, with `?`
 * for its values, under which the key is stored.
 */
export async function newKey(
  system: System,
  db: Database,
  key: NewKey,
  onlyIf = '1',
  ...values: (string | number | null)[]
): Promise<{ id: string; secret: string; statement: Statement }> {
  const id = system.newId('key')
  const { token, hash } = await system.tokens.mint(`rck_${key.environment}`, key.routingId, system.random)
  const statement = db.statement(
    `insert into api_keys (id, tenant_id, user_id, workspace_id, created_by, name, environment, token_hash, last_four,
       scopes, permissions, expires_at, created_at)
     select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? where ${onlyIf}`,
    id,
    key.tenantId,
    key.userId,
    key.workspaceId,
    key.createdBy,
    key.name,
    key.environment,
    hash,
    token.slice(-4),
    JSON.stringify(key.scopes),
    key.permissions === null ? null : JSON.stringify(key.permissions),
    key.expiresAt,
    system.now(),
    ...values,
  )
  return { id, secret: token, statement }
}
