import type { Scope, System } from '../../../core/context.ts'
import type { Database, Statement } from '../../../core/database/database.ts'

export interface NewClient {
  /** null: the application registered itself. */
  owner: { tenantId: string; userId: string } | null
  /** Of its owner's hub; it is part of the secret. */
  routingId: string
  name: string
  type: 'confidential' | 'public'
  redirectUris: readonly string[]
  scopes: readonly Scope[]
  requirePkce: boolean
  refreshGraceSeconds: number
}

/** The statement that stores an application, and its secret, which is shown once. A public application has none. */
export async function newClient(
  system: System,
  db: Database,
  client: NewClient,
): Promise<{ id: string; secret: string | null; statement: Statement }> {
  const id = system.newId('app')
  const secret = client.type === 'public' ? null : await system.tokens.mint('rcx', client.routingId, system.random)
  const now = system.now()
  const statement = db.statement(
    `insert into oauth_clients (id, tenant_id, user_id, name, type, redirect_uris, scopes, require_pkce,
       refresh_grace_seconds, secret_hash, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning *`,
    id,
    client.owner?.tenantId ?? null,
    client.owner?.userId ?? null,
    client.name,
    client.type,
    JSON.stringify(client.redirectUris),
    JSON.stringify(client.scopes),
    client.requirePkce ? 1 : 0,
    client.refreshGraceSeconds,
    secret?.hash ?? null,
    now,
    now,
  )
  return { id, secret: secret?.token ?? null, statement }
}
