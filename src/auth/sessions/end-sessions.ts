import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { denyThenCommit } from '../credentials/deny-and-commit.ts'

/** Ends sessions of the caller. `action` names the reason in the audit log. */
export async function endSessions(ctx: AuthContext, ids: readonly string[], action: string): Promise<void> {
  await denyThenCommit(ctx, ctx.db, { routingId: ctx.principal.routingId, ids }, () => [
    ctx.db.statement(
      `update sessions set revoked_at = :now where id in (select value from json_each(:ids)) and revoked_at is null`,
      { now: ctx.now(), ids: JSON.stringify(ids) },
    ),
    auditStatement(ctx, action),
  ])
}
