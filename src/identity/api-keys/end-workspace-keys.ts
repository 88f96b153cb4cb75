import { recordDenials, type RevocationStatement } from '../../auth/index.ts'
import type { AuthContext } from '../../core/context.ts'

/**
 * The statements that end the keys of workspaces with the caller's commit, and record the denials for the hubs of
 * their service accounts. `which` is a condition in SQL over `api_keys`, with plain `?` for its values.
 */
export function endWorkspaceKeys(
  ctx: AuthContext,
  which: string,
  ...values: (string | number)[]
): RevocationStatement[] {
  const now = ctx.now()
  return [
    ctx.db.statement(
      `update api_keys set revoked_at = ? where (revoked_at is null or revoked_at > ?) and ${which}`,
      now,
      now,
      ...values,
    ),
    recordDenials(
      ctx,
      ctx.db,
      `select k.id, u.routing_id, k.revoked_at as ends_at from api_keys k join users u on u.id = k.user_id
       where k.revoked_at = ? and ${which}`,
      now,
      ...values,
    ),
  ]
}
