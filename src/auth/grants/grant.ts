import { z } from '@hono/zod-openapi'
import { iso } from '../../core/values/clock.ts'
import { SCOPES, type AuthContext, type Scope } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { idOf, timestamp } from '../../core/http/fields.ts'
import type { oauth_grants } from '../table.ts'

export const GrantSchema = z
  .object({
    id: idOf('grt'),
    application: z.object({ client_id: idOf('app'), name: z.string() }),
    scopes: z.array(z.enum(SCOPES)),
    created_at: timestamp,
    last_used_at: timestamp,
  })
  .openapi('Grant')
export type Grant = z.infer<typeof GrantSchema>

/** A grant is first used when it is activated, so that a live one has a last use. */
export interface GrantRow extends Pick<
  typeof oauth_grants.$inferSelect,
  'id' | 'client_id' | 'client_name' | 'scopes' | 'created_at'
> {
  last_used_at: number
}

export const toGrant = (row: GrantRow): Grant => ({
  id: row.id,
  application: { client_id: row.client_id, name: row.client_name },
  scopes: JSON.parse(row.scopes) as Scope[],
  created_at: iso(row.created_at),
  last_used_at: iso(row.last_used_at),
})

/**
 * The live grants of a user: activated, not revoked, and with a live token. Bind the user, the tenant and the present
 * instant to `?1`, `?2`, `?3`.
 */
export const LIVE_GRANTS = `
  select g.id, g.client_id, g.client_name, g.scopes, g.created_at, g.last_used_at
  from oauth_grants g
  where g.user_id = ?1 and g.tenant_id = ?2 and g.revoked_at is null and g.activated_at is not null
    and exists (select 1 from oauth_tokens t where t.grant_id = g.id and t.revoked_at is null and t.spent_at is null
                and t.expires_at > ?3)`

/** A live grant of the caller's; 404 for every other id. */
export async function ownGrant(ctx: AuthContext, id: string): Promise<GrantRow> {
  const { userId, tenantId } = ctx.principal
  const row = await ctx.db.first<GrantRow>(`${LIVE_GRANTS} and g.id = ?4`, userId, tenantId, ctx.now(), id)
  if (!row) throw notFound('grant')
  return row
}
