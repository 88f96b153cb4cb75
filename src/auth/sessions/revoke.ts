import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { notFound } from '../../core/errors.ts'
import { IdParams } from '../../core/http/fields.ts'
import { denyThenCommit } from '../credentials/revoke.ts'

const LIVE = 'user_id = ? and revoked_at is null and expires_at > ?'

/** Ends one session of the caller's; 404 for one that is over or somebody else's. */
export async function revokeSession(ctx: AuthContext, id: string): Promise<void> {
  ctx.trail.resourceIds = [id]
  const live = await ctx.db.first(
    `select 1 from sessions where id = ? and ${LIVE}`,
    id,
    ctx.principal.userId,
    ctx.now(),
  )
  if (!live) throw notFound('session')
  await endSessions(ctx, [id], 'sessions.revoke')
}

/** Ends all sessions of the caller's but the one of this request (contract §2). */
export async function revokeOtherSessions(ctx: AuthContext): Promise<void> {
  const { userId, credential } = ctx.principal
  const others = await ctx.db.all<{ id: string }>(
    `select id from sessions where id <> ? and ${LIVE}`,
    credential.id,
    userId,
    ctx.now(),
  )
  const ids = others.map((session) => session.id)
  ctx.trail.resourceIds = ids
  await endSessions(ctx, ids, 'sessions.revoke_others')
}

/** Ends sessions of the caller (architecture §3). `action` names the reason in the audit log. */
export async function endSessions(ctx: AuthContext, ids: readonly string[], action: string): Promise<void> {
  await denyThenCommit(ctx, ctx.db, { routingId: ctx.principal.routingId, ids }, () => [
    ctx.db.statement(
      `update sessions set revoked_at = ? where id in (select value from json_each(?)) and revoked_at is null`,
      ctx.now(),
      JSON.stringify(ids),
    ),
    auditStatement(ctx, action),
  ])
}

const session = { method: 'delete', tag: 'sessions', auth: 'session', scope: null, limit: 'write' } as const

export const revokeSessionEndpoints = [
  endpoint({
    ...session,
    path: '/v1/sessions/{id}',
    summary: 'End a session',
    description: 'It is refused from its next request on, and its sockets close.',
    audit: 'sessions.revoke',
    params: IdParams,
    reply: { 204: null },
    errors: ['not_found'],
  }).handle(({ ctx, params }) => revokeSession(ctx, params.id)),
  endpoint({
    ...session,
    path: '/v1/sessions',
    summary: 'End all other sessions',
    audit: 'sessions.revoke_others',
    reply: { 204: null },
  }).handle(({ ctx }) => revokeOtherSessions(ctx)),
]
