import type { Scope } from '../../core/context.ts'
import type { Database } from '../../core/db.ts'
import type { Credential } from '../credentials.ts'

interface AccessRow {
  id: string
  tenant_id: string
  user_id: string
  routing_id: string
  default_project_id: string | null
  client_id: string
  grant_id: string
  scopes: string
  ends_at: number
}

const BY_HASH = `
  select t.id, t.tenant_id, t.user_id, u.routing_id, u.default_project_id, t.client_id, t.grant_id, t.scopes,
         min(t.expires_at, coalesce(t.revoked_at, t.expires_at), coalesce(g.revoked_at, t.expires_at)) as ends_at
  from oauth_tokens t
  join oauth_grants g on g.id = t.grant_id
  join users u on u.id = t.user_id and u.deleted_at is null
  where t.token_hash = ? and t.kind = 'access'`

/** An access token by its hash; it ends with its own time, its revocation or its grant's, whichever is first. */
export async function loadAccessToken(db: Database, tokenHash: string): Promise<Credential | null> {
  const row = await db.first<AccessRow>(BY_HASH, tokenHash)
  if (!row) return null
  return {
    expiresAt: row.ends_at,
    principal: {
      userId: row.user_id,
      tenantId: row.tenant_id,
      routingId: row.routing_id,
      kind: 'person',
      credential: { kind: 'access', id: row.id, environment: null, appId: row.client_id, grantId: row.grant_id },
      scopes: JSON.parse(row.scopes) as Scope[],
      permissions: null,
      defaultProjectId: row.default_project_id,
    },
  }
}
