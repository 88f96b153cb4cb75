import type { RequestContext } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { and, joined, type Sql } from '../../core/database/sql.ts'
import type { MintedToken } from '../../core/ports.ts'
import { networkHashes } from './network-hash.ts'
import { DAY_SECONDS } from '../../core/values/durations.ts'

/** 24 hours (contract §2). */
export const SESSION_SECONDS = DAY_SECONDS
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
  /** By it the next login shows that it comes from the same device. */
  deviceToken: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * A new session and the statement that stores it. A known `device` keeps its token, any other gets one. `seconds` is how
 * long it lasts. `onlyIf` lets a login that loses a race against a new password store no session.
 */
export async function newSession(
  ctx: RequestContext,
  db: Database,
  {
    device: known,
    seconds = SESSION_SECONDS,
    ...user
  }: SessionUser & { device?: MintedToken | null; seconds?: number },
  onlyIf: Sql = and(),
): Promise<NewSession & { statement: Statement }> {
  const id = ctx.newId('ses')
  const { token, hash } = await ctx.tokens.mint('rcs', user.routingId, ctx.random)
  const device = known ?? (await ctx.tokens.mint('rcd', user.routingId, ctx.random))
  const [network = null] = await networkHashes(ctx, user.routingId)
  const now = ctx.now()
  const expiresAt = now + seconds * 1_000
  const statement = db.statement(
    `insert into sessions (id, tenant_id, user_id, token_hash, user_agent, created_at, expires_at, device_hash, network_hash)
     select :session_id, :session_tenant, :session_user, :session_hash, :session_agent, :session_created_at,
       :session_expires_at, :session_device, :session_network
     where ${onlyIf.sql} returning id`,
    joined(
      {
        session_id: id,
        session_tenant: user.tenantId,
        session_user: user.userId,
        session_hash: hash,
        session_agent: ctx.client.userAgent.slice(0, MAX_USER_AGENT),
        session_created_at: now,
        session_expires_at: expiresAt,
        session_device: device.hash,
        session_network: network,
      },
      onlyIf.params,
    ),
  )
  return { id, token, deviceToken: device.token, expiresAt, statement }
}
