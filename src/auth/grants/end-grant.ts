import { auditStatement } from '../../audit/index.ts'
import type { AuthContext, RequestContext } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { noteDenials } from '../credentials/denials.ts'

/**
 * Ends one grant with all of its tokens, and no other: the user's hub refuses them before D1 commits.
 * `action` names why, in the audit log.
 */
export async function endGrant(ctx: AuthContext, grantId: string, action: string): Promise<void> {
  await ctx.hub(ctx.principal.routingId).deny({ ids: [grantId] })
  const now = ctx.now()
  await ctx.db.batch([
    auditStatement(ctx, action, 'exists (select 1 from oauth_grants where id = ? and revoked_at is null)', grantId),
    ctx.db.statement('update oauth_grants set revoked_at = ? where id = ? and revoked_at is null', now, grantId),
  ])
}

/**
 * The statements that end all grants of some applications with the caller's commit, and note them for the hubs of
 * their users: call `tellHubs` after it. `clients` is a query for ids, with plain `?` for its values.
 */
export function endGrantsOf(
  ctx: RequestContext,
  db: Database,
  clients: string,
  ...values: (string | number)[]
): Statement[] {
  const now = ctx.now()
  return [
    db.statement(
      `update oauth_grants set revoked_at = ? where revoked_at is null and client_id in (${clients})`,
      now,
      ...values,
    ),
    noteDenials(
      ctx,
      db,
      `select g.id, u.routing_id, g.revoked_at as ends_at from oauth_grants g join users u on u.id = g.user_id
       where g.revoked_at = ? and g.client_id in (${clients})`,
      now,
      ...values,
    ),
  ]
}
