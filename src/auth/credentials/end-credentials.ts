import type { RequestContext } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { noteDenials } from './denials.ts'

/** Whose credentials, and which of them live on. */
export interface Ending {
  userId: string
  routingId: string
  /** Spared, such as the session of the request. */
  exceptSession?: string | undefined
  keepKeys?: boolean
}

/**
 * The statements that end a user's sessions, grants and own keys with the caller's commit, and links that lead to a new
 * password, under the condition `onlyIf` in SQL (plain `?` for its values). They note the credentials for the user's hub:
 * call `tellHubs` after the commit.
 */
export function endCredentials(
  ctx: RequestContext,
  db: Database,
  { userId, routingId, exceptSession = '', keepKeys = false }: Ending,
  onlyIf = '1',
  ...values: (string | number | null)[]
): Statement[] {
  const now = ctx.now()
  const end = (table: string, where: string, ...bound: (string | number)[]): Statement[] => [
    db.statement(
      `update ${table} set revoked_at = ? where user_id = ? and (revoked_at is null or revoked_at > ?) and ${where} and ${onlyIf}`,
      now,
      userId,
      now,
      ...bound,
      ...values,
    ),
    noteDenials(
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
    ...(keepKeys ? [] : end('api_keys', 'workspace_id is null')),
    db.statement(
      `update password_resets set used_at = ? where user_id = ? and used_at is null and ${onlyIf}`,
      now,
      userId,
      ...values,
    ),
  ]
}
