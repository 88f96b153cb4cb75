import type { RequestContext } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { and, joined, sql, type Sql } from '../../core/database/sql.ts'
import { recordDenials } from './send-denials.ts'
import type { RevocationStatement } from './deny-and-commit.ts'

/** Whose credentials end, and which of them stay. */
export interface CredentialsToEnd {
  userId: string
  routingId: string
  /** The session that stays, such as the one of the request. */
  exceptSession?: string | undefined
  keepKeys?: boolean
}

/**
 * The statements that end a user's sessions, grants, own keys and reset links. They forget all devices and networks but
 * the network of the session that stays. They record the denials.
 */
export function endCredentials(
  ctx: RequestContext,
  db: Database,
  { userId, routingId, exceptSession = '', keepKeys = false }: CredentialsToEnd,
  onlyIf: Sql = and(),
): RevocationStatement[] {
  const ending = { ending_user: userId, ending_now: ctx.now() }
  const kept = { kept_session: exceptSession }
  const end = (table: string, where: Sql): RevocationStatement[] => [
    db.statement(
      `update ${table} set revoked_at = :ending_now
       where user_id = :ending_user and (revoked_at is null or revoked_at > :ending_now) and ${where.sql} and ${onlyIf.sql}`,
      joined(ending, where.params, onlyIf.params),
    ),
    recordDenials(
      ctx,
      db,
      sql(
        `select id, :ending_routing_id as routing_id, revoked_at as ends_at from ${table}
         where user_id = :ending_user and revoked_at = :ending_now`,
        { ...ending, ending_routing_id: routingId },
      ),
    ),
  ]
  return [
    ...end('sessions', sql('id <> :kept_session and expires_at > :ending_now', { ...kept, ...ending })),
    ...end('oauth_grants', and()),
    db.statement(
      `update sessions set device_hash = null, network_hash = case when id = :kept_session then network_hash end
       where user_id = :ending_user and ${onlyIf.sql}`,
      joined({ ...kept, ending_user: userId }, onlyIf.params),
    ),
    ...(keepKeys ? [] : end('api_keys', sql('workspace_id is null', {}))),
    db.statement(
      `update password_resets set used_at = :ending_now where user_id = :ending_user and used_at is null and ${onlyIf.sql}`,
      joined(ending, onlyIf.params),
    ),
  ]
}
