import type { Scope, System } from '../../../core/context.ts'
import { isId } from '../../../core/values/ids.ts'
import type { oauth_clients } from '../../table.ts'

/** An OAuth application; neither it nor its owner is deleted. */
export interface Client {
  id: string
  tenantId: string | null
  userId: string | null
  name: string
  type: 'confidential' | 'public'
  redirectUris: readonly string[]
  scopes: readonly Scope[]
  requirePkce: boolean
  refreshGraceMs: number
  /** Hashes of the secrets that are valid now: two of them during the overlap of a rotation. */
  secretHashes: readonly string[]
}

type ClientRow = Omit<typeof oauth_clients.$inferSelect, 'created_at' | 'updated_at' | 'deleted_at'>

const BY_ID = `
  select c.id, c.tenant_id, c.user_id, c.name, c.type, c.redirect_uris, c.scopes, c.require_pkce,
         c.refresh_grace_seconds, c.secret_hash, c.old_secret_hash, c.old_secret_expires_at
  from oauth_clients c left join users u on u.id = c.user_id
  where c.id = ? and c.deleted_at is null and (c.user_id is null or u.deleted_at is null)`

/** Finds an application by its `client_id`, in whichever shard its owner is; null where there is none. */
export async function findClient(system: System, clientId: string): Promise<Client | null> {
  if (!isId('app', clientId)) return null
  for (const shard of system.shards) {
    const row = await system.database(shard).first<ClientRow>(BY_ID, clientId)
    if (row) return toClient(row, system.now())
  }
  return null
}

function toClient(row: ClientRow, now: number): Client {
  const old = row.old_secret_expires_at !== null && now < row.old_secret_expires_at ? row.old_secret_hash : null
  return {
    id: row.id,
    tenantId: row.tenant_id,
    userId: row.user_id,
    name: row.name,
    type: row.type,
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    scopes: JSON.parse(row.scopes) as Scope[],
    requirePkce: row.require_pkce === 1,
    refreshGraceMs: row.refresh_grace_seconds * 1_000,
    secretHashes: [row.secret_hash, old].filter((hash) => hash !== null),
  }
}
