import type { RequestContext } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
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
 * the network of the session that stays. They record the denials. `onlyIf` is an SQL condition with plain `?`.
 */
export function endCredentials(
  ctx: RequestContext,
  db: Database,
  { userId, routingId, exceptSession = '', keepKeys = false }: CredentialsToEnd,
  onlyIf = '1',
  ...values: (string | number | null)[]
): RevocationStatement[] {
  const now = ctx.now()
  const end = (table: string, where: string, ...bound: (string | number)[]): RevocationStatement[] => [
    db.statement(
      `update ${table} set revoked_at = ? where user_id = ? and (revoked_at is null or revoked_at > ?) and ${where} and ${onlyIf}`,
      now,
      userId,
      now,
      ...bound,
      ...values,
    ),
    recordDenials(
      ctx,
      db,
      `select id, ? as routing_id, revoked_at as ends_at from ${table} where user_id = ? and revoked_at = ?`,
      routingId,
      userId,
      now,
    ),
  ]
  return [
    ...end('sessions', 'id <> ? and expires_at > ?', exceptSession, now),
    ...end('oauth_grants', '1'),
    db.statement(
      `update sessions set device_hash = null, network_hash = case when id = ? then network_hash end
       where user_id = ? and ${onlyIf}`,
      exceptSession,
      userId,
      ...values,
    ),
    ...(keepKeys ? [] : end('api_keys', 'workspace_id is null')),
    db.statement(
      `update password_resets set used_at = ? where user_id = ? and used_at is null and ${onlyIf}`,
      now,
      userId,
      ...values,
    ),
  ]
}
