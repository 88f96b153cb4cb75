import { and, ne } from 'drizzle-orm'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { sessions } from '../table.ts'
import { endSessions } from './end-sessions.ts'
import { isLive } from './session.ts'

const otherSessions = query((db, by: { user: string; now: number; current: string }) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(isLive(by), ne(sessions.id, by.current))),
)

/** Ends all sessions of the caller's but the one of this request (contract §2). */
export async function revokeOtherSessions(ctx: AuthContext): Promise<void> {
  const { userId, credential } = ctx.principal
  const others = await ctx.db.all(otherSessions, { user: userId, now: ctx.now(), current: credential.id })
  const ids = others.map((session) => session.id)
  ctx.trail.resourceIds = ids
  await endSessions(ctx, ids, 'sessions.revoke_others')
}

export const revokeOtherSessionsEndpoint = endpoint({
  method: 'delete',
  path: '/v1/sessions',
  operationId: 'revokeOtherSessions',
  tag: 'sessions',
  summary: 'End all other sessions',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'sessions.revoke_others',
  reply: { 204: null },
  example: {},
}).handle(({ ctx }) => revokeOtherSessions(ctx))
