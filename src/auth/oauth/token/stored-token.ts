import type { RequestContext, Scope } from '../../../core/context.ts'
import { shardOf } from '../../credentials/tokens.ts'
import type { Grantee } from '../../grants/on-behalf-of.ts'

/** An access or refresh token as it is stored, alive or not. */
export interface StoredToken extends Grantee {
  id: string
  kind: 'access' | 'refresh'
  resource: string | null
  createdAt: number
  expiresAt: number
  alive: boolean
}

interface TokenRow {
  id: string
  kind: 'access' | 'refresh'
  tenant_id: string
  user_id: string
  grant_id: string
  client_id: string
  scopes: string
  resource: string | null
  created_at: number
  expires_at: number
  alive: number
}

/** Finds a token of either kind by its text; null for what was never issued here or is swept. */
export async function findStoredToken(ctx: RequestContext, text: string): Promise<StoredToken | null> {
  const token = await ctx.tokens.parse(text)
  if (token?.prefix !== 'rca' && token?.prefix !== 'rcr') return null
  const row = await ctx.database(shardOf(token.routingId)).first<TokenRow>(
    `select t.id, t.kind, t.tenant_id, t.user_id, t.grant_id, t.client_id, t.scopes, g.resource, t.created_at, t.expires_at,
            t.revoked_at is null and g.revoked_at is null and t.spent_at is null and t.expires_at > ?2 as alive
     from oauth_tokens t
     join oauth_grants g on g.id = t.grant_id
     join users u on u.id = t.user_id and u.deleted_at is null
     where t.token_hash = ?1`,
    token.hash,
    ctx.now(),
  )
  if (!row) return null
  return {
    id: row.id,
    kind: row.kind,
    tenantId: row.tenant_id,
    userId: row.user_id,
    routingId: token.routingId,
    grantId: row.grant_id,
    clientId: row.client_id,
    scopes: JSON.parse(row.scopes) as Scope[],
    resource: row.resource,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    alive: row.alive === 1,
  }
}
