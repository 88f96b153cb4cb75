import { z } from '@hono/zod-openapi'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { newestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { notFound } from '../../core/errors.ts'
import { IdParams, idOf, timestamp } from '../../core/http/fields.ts'

export const SessionSchema = z
  .object({
    id: idOf('ses'),
    user_agent: z.string().meta({ description: 'Of the login.' }),
    current: z.boolean().meta({ description: 'The session of this request.' }),
    created_at: timestamp,
    last_used_at: timestamp.nullable().meta({ description: 'To the minute.' }),
    expires_at: timestamp,
  })
  .openapi('Session')
export type Session = z.infer<typeof SessionSchema>

interface SessionRow {
  id: string
  user_agent: string
  created_at: number
  last_used_at: number | null
  expires_at: number
}

const LIVE = `select id, user_agent, created_at, last_used_at, expires_at from sessions
  where user_id = ? and revoked_at is null and expires_at > ?`

const toSession = (ctx: AuthContext, row: SessionRow): Session => ({
  id: row.id,
  user_agent: row.user_agent,
  current: row.id === ctx.principal.credential.id,
  created_at: iso(row.created_at),
  last_used_at: row.last_used_at === null ? null : iso(row.last_used_at),
  expires_at: iso(row.expires_at),
})

/** One live session of the caller's; 404 for every other id. */
export async function getSession(ctx: AuthContext, id: string): Promise<Session> {
  ctx.trail.resourceIds = [id]
  const row = await ctx.db.first<SessionRow>(`${LIVE} and id = ?`, ctx.principal.userId, ctx.now(), id)
  if (!row) throw notFound('session')
  return toSession(ctx, row)
}

/** The caller's live sessions, newest first. */
export async function listSessions(ctx: AuthContext, input: z.output<typeof PageQuery>): Promise<Page<Session>> {
  const [before, beforeId] = newestFirst.after(input)
  const rows = await ctx.db.all<SessionRow>(
    `${LIVE} and (created_at, id) < (?, ?) order by created_at desc, id desc limit ?`,
    ctx.principal.userId,
    ctx.now(),
    before,
    beforeId,
    input.limit + 1,
  )
  return newestFirst.page(rows, input, (row) => toSession(ctx, row))
}

const session = { method: 'get', tag: 'sessions', auth: 'session', scope: null, limit: 'read' } as const

export const readSessionEndpoints = [
  endpoint({
    ...session,
    path: '/v1/sessions',
    summary: 'List your sessions',
    audit: 'sessions.list',
    query: PageQuery,
    reply: { 200: pageOf(SessionSchema) },
  }).handle(({ ctx, query }) => listSessions(ctx, query)),
  endpoint({
    ...session,
    path: '/v1/sessions/{id}',
    summary: 'Get a session',
    audit: 'sessions.get',
    params: IdParams,
    reply: { 200: SessionSchema },
    errors: ['not_found'],
  }).handle(({ ctx, params }) => getSession(ctx, params.id)),
]
