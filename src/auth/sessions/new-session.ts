import type { RequestContext } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'

/** 24 hours (contract §2). */
export const SESSION_SECONDS = 86_400
const MAX_USER_AGENT = 512

/** The user of a session, with the way to the user's hub and shard. */
export interface SessionUser {
  userId: string
  tenantId: string
  routingId: string
}

export interface NewSession {
  id: string
  /** The secret. Only the client has it: D1 stores its hash. */
  token: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * A new session and the statement that stores it. `onlyIf` is a condition in SQL with plain `?` for its values: a login
 * that loses a race against a new password stores no session.
 */
export async function newSession(
  ctx: RequestContext,
  db: Database,
  user: SessionUser,
  onlyIf = '1',
  ...values: (string | number | null)[]
): Promise<NewSession & { statement: Statement }> {
  const id = ctx.newId('ses')
  const { token, hash } = await ctx.tokens.mint('rcs', user.routingId, ctx.random)
  const now = ctx.now()
  const expiresAt = now + SESSION_SECONDS * 1_000
  const statement = db.statement(
    `insert into sessions (id, tenant_id, user_id, token_hash, user_agent, created_at, expires_at)
     select ?, ?, ?, ?, ?, ?, ? where ${onlyIf} returning id`,
    id,
    user.tenantId,
    user.userId,
    hash,
    ctx.client.userAgent.slice(0, MAX_USER_AGENT),
    now,
    expiresAt,
    ...values,
  )
  return { id, token, expiresAt, statement }
}
