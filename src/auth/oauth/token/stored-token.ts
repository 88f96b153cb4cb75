import type { RequestContext } from '../../../core/context.ts'
import { shardOf } from '../../../core/shards.ts'
import { toStoredGrant, type StoredGrant, type StoredGrantRow } from '../../grants/stored-grant.ts'
import type { oauth_tokens } from '../../table.ts'

/** An access or refresh token as it is stored, live or not. */
export interface StoredToken extends StoredGrant {
  id: string
  kind: 'access' | 'refresh'
  createdAt: number
  expiresAt: number
  /** Neither spent, nor revoked, nor expired. */
  active: boolean
}

type TokenRow = StoredGrantRow &
  Pick<typeof oauth_tokens.$inferSelect, 'id' | 'kind' | 'created_at' | 'expires_at'> & { active: 0 | 1 }

/** Finds a token of either kind by its text; null for one that was never issued, or that the sweep has erased. */
export async function findStoredToken(ctx: RequestContext, text: string): Promise<StoredToken | null> {
  const token = await ctx.tokens.parse(text)
  if (token?.prefix !== 'rca' && token?.prefix !== 'rcr') return null
  const row = await ctx.database(shardOf(token.routingId)).first<TokenRow>(
    `select t.id, t.kind, t.tenant_id, t.user_id, t.grant_id, t.client_id, t.scopes, coalesce(t.resource, g.resource) as resource,
            t.created_at, t.expires_at,
            t.revoked_at is null and g.revoked_at is null and t.spent_at is null and t.expires_at > :now as active
     from oauth_tokens t
     join oauth_grants g on g.id = t.grant_id
     join users u on u.id = t.user_id and u.deleted_at is null
     where t.token_hash = :token_hash`,
    { token_hash: token.hash, now: ctx.now() },
  )
  if (!row) return null
  return {
    ...toStoredGrant(row, token.routingId),
    id: row.id,
    kind: row.kind,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    active: row.active === 1,
  }
}
