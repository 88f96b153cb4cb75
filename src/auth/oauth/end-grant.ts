import { auditStatement } from '../../audit/index.ts'
import type { Ctx } from '../../core/context.ts'

/**
 * Ends one grant with all of its tokens, and no other: the user's hub refuses them before D1 commits.
 * `action` names why, in the audit log.
 */
export async function endGrant(ctx: Ctx, grantId: string, action: string): Promise<void> {
  await ctx.hub(ctx.principal.routingId).deny({ ids: [grantId] })
  const now = ctx.now()
  await ctx.db.batch([
    auditStatement(ctx, action, 'exists (select 1 from oauth_grants where id = ? and revoked_at is null)', grantId),
    ctx.db.statement(
      'update oauth_grants set revoked_at = ?1, denied_at = ?1 where id = ?2 and revoked_at is null',
      now,
      grantId,
    ),
  ])
}
