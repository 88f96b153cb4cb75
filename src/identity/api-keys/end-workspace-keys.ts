import { recordDenials, type RevocationStatement } from '../../auth/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { joined, sql, type Sql } from '../../core/database/sql.ts'

/**
 * The statements that end the keys of workspaces with the caller's commit, and record the denials for the hubs of
 * their service accounts. `which` is a condition over `api_keys`.
 */
export function endWorkspaceKeys(ctx: AuthContext, which: Sql): RevocationStatement[] {
  const params = joined(which.params, { ending_now: ctx.now() })
  return [
    ctx.db.statement(
      `update api_keys set revoked_at = :ending_now
       where (revoked_at is null or revoked_at > :ending_now) and ${which.sql}`,
      params,
    ),
    recordDenials(
      ctx,
      ctx.db,
      sql(
        `select k.id, u.routing_id, k.revoked_at as ends_at from api_keys k join users u on u.id = k.user_id
         where k.revoked_at = :ending_now and ${which.sql}`,
        params,
      ),
    ),
  ]
}
