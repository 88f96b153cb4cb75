import { and, eq } from 'drizzle-orm'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { notFound } from '../../core/errors.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { sessions } from '../table.ts'
import { isLive, SESSION_COLUMNS, SessionSchema, toSession, type Session, SAMPLE_SESSION } from './session.ts'

const liveSession = query((db, by: { id: string; user: string; now: number }) =>
  db
    .select(SESSION_COLUMNS)
    .from(sessions)
    .where(and(isLive(by), eq(sessions.id, by.id))),
)

/** One live session of the caller's; 404 for every other id. */
export async function getSession(ctx: AuthContext, id: string): Promise<Session> {
  ctx.trail.resourceIds = [id]
  const row = await ctx.db.first(liveSession, { id, user: ctx.principal.userId, now: ctx.now() })
  if (!row) throw notFound('session', id)
  return toSession(ctx, row)
}

export const getSessionEndpoint = endpoint({
  method: 'get',
  path: '/v1/sessions/{id}',
  operationId: 'getSession',
  tag: 'sessions',
  summary: 'Get a session',
  auth: 'session',
  scope: null,
  limit: 'read',
  audit: 'sessions.get',
  params: IdParams,
  reply: { 200: SessionSchema },
  errors: ['not_found'],
  example: { params: { id: SAMPLE_IDS.session }, reply: SAMPLE_SESSION },
}).handle(({ ctx, params }) => getSession(ctx, params.id))
