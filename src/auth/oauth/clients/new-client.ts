import type { Scope, System } from '../../../core/context.ts'
import type { Database, Statement } from '../../../core/database/database.ts'
import { query, wholeRow } from '../../../core/database/query.ts'
import { oauth_clients } from '../../table.ts'

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

/**
 * The grace window of an application without an owner. Agents run in several processes that share one stored refresh token, and
 * send it again minutes after another one exchanged it.
 */
export const UNOWNED_GRACE_SECONDS = 600

const insertClient = query((db, row: typeof oauth_clients.$inferSelect) =>
  db.insert(oauth_clients).values(wholeRow(oauth_clients, row)).returning(),
)

/** The statement that stores an application, and its secret, which is shown once. A public application has none. */
export async function newClient(
  system: System,
  db: Database,
  client: NewClient,
): Promise<{ id: string; secret: string | null; statement: Statement }> {
  const id = system.newId('app')
  const secret = client.type === 'public' ? null : await system.tokens.mint('rcx', client.routingId, system.random)
  const now = system.now()
  const statement = db.statement(insertClient, {
    id,
    tenant_id: client.owner?.tenantId ?? null,
    user_id: client.owner?.userId ?? null,
    name: client.name,
    type: client.type,
    redirect_uris: JSON.stringify(client.redirectUris),
    scopes: JSON.stringify(client.scopes),
    require_pkce: client.requirePkce ? 1 : 0,
    refresh_grace_seconds: client.refreshGraceSeconds,
    secret_hash: secret?.hash ?? null,
    old_secret_hash: null,
    old_secret_expires_at: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    last_used_at: null,
    fresh_until: null,
  })
  return { id, secret: secret?.token ?? null, statement }
}
