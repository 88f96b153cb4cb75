import type { KeyPermission, Scope } from '../../core/context.ts'
import type { Database } from '../../core/db.ts'
import type { Credential } from '../credentials.ts'

interface KeyRow {
  id: string
  user_id: string
  tenant_id: string
  routing_id: string
  kind: 'person' | 'service'
  default_project_id: string | null
  environment: 'live' | 'test'
  scopes: string
  permissions: string | null
  expires_at: number | null
  revoked_at: number | null
}

const KEY_BY_HASH = `
  select k.id, k.user_id, u.tenant_id, u.routing_id, u.kind, u.default_project_id, k.environment, k.scopes,
         k.permissions, k.expires_at, k.revoked_at
  from api_keys k join users u on u.id = k.user_id and u.deleted_at is null
  where k.token_hash = ?`

/** An API key as D1 knows it, by the hash of its secret. */
export async function loadKey(db: Database, tokenHash: string): Promise<Credential | null> {
  const row = await db.first<KeyRow>(KEY_BY_HASH, tokenHash)
  if (!row) return null
  const permissions = row.permissions === null ? null : (JSON.parse(row.permissions) as KeyPermission[])
  return {
    expiresAt: earliest(row.expires_at, row.revoked_at),
    principal: {
      userId: row.user_id,
      tenantId: row.tenant_id,
      routingId: row.routing_id,
      kind: row.kind,
      credential: { kind: 'key', id: row.id, environment: row.environment, appId: null, grantId: null },
      scopes: JSON.parse(row.scopes) as Scope[],
      permissions,
      defaultProjectId: permissions?.length === 1 ? (permissions[0]?.project_id ?? null) : row.default_project_id,
    },
  }
}

const earliest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b)
