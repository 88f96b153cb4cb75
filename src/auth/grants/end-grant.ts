import { and, eq, isNull } from 'drizzle-orm'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext, RequestContext } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { query } from '../../core/database/query.ts'
import { joined, sql, type Sql } from '../../core/database/sql.ts'
import { recordDenials } from '../credentials/send-denials.ts'
import { denyThenCommit, type RevocationStatement } from '../credentials/deny-and-commit.ts'
import { oauth_grants } from '../table.ts'

const revokeById = query((db, by: { id: string; now: number }) =>
  db
    .update(oauth_grants)
    .set({ revoked_at: by.now })
    .where(and(eq(oauth_grants.id, by.id), isNull(oauth_grants.revoked_at))),
)

/** Ends one grant with all of its tokens. `action` names the reason in the audit log. */
export async function endGrant(ctx: AuthContext, grantId: string, action: string): Promise<void> {
  await denyThenCommit(ctx, ctx.db, { routingId: ctx.principal.routingId, ids: [grantId] }, () => [
    auditStatement(
      ctx,
      action,
      sql('exists (select 1 from oauth_grants where id = :grant and revoked_at is null)', { grant: grantId }),
    ),
    ctx.db.statement(revokeById, { id: grantId, now: ctx.now() }),
  ])
}

/**
 * The statements that end all grants of erased applications with the caller's commit, empty the names in them, and record
 * the denials for the hubs of their users. `clients` is a query for ids.
 */
export function endGrantsOf(
  ctx: Pick<RequestContext, 'now' | 'requestId'>,
  db: Database,
  clients: Sql,
): RevocationStatement[] {
  const params = joined(clients.params, { ending_now: ctx.now() })
  return [
    db.statement(
      `update oauth_grants set revoked_at = coalesce(revoked_at, :ending_now), client_name = ''
       where client_id in (${clients.sql})`,
      params,
    ),
    recordDenials(
      ctx,
      db,
      sql(
        `select g.id, u.routing_id, g.revoked_at as ends_at from oauth_grants g join users u on u.id = g.user_id
         where g.revoked_at = :ending_now and g.client_id in (${clients.sql})`,
        params,
      ),
    ),
  ]
}
