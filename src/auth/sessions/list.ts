import { z } from '@hono/zod-openapi'
import { iso } from '../../core/clock.ts'
import type { Ctx } from '../../core/context.ts'
import { decodeCursor, PageQuery, pageOf, toPage, type Page } from '../../core/cursor.ts'
import { endpoint } from '../../core/endpoint.ts'
import { idOf, timestamp } from '../../core/fields.ts'

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

const Position = z.tuple([z.number(), z.string()])

/** The caller's live sessions, newest first. */
export async function listSessions(ctx: Ctx, input: z.output<typeof PageQuery>): Promise<Page<Session>> {
  const [before, beforeId] = input.cursor ? decodeCursor(Position, input.cursor) : [Number.MAX_SAFE_INTEGER, '']
  const rows = await ctx.db.all<SessionRow>(
    `select id, user_agent, created_at, last_used_at, expires_at from sessions
     where user_id = ? and revoked_at is null and expires_at > ? and (created_at, id) < (?, ?)
     order by created_at desc, id desc limit ?`,
    ctx.principal.userId,
    ctx.now(),
    before,
    beforeId,
    input.limit + 1,
  )
  return toPage(
    rows,
    input.limit,
    (row) => [row.created_at, row.id],
    (row) => ({
      id: row.id,
      user_agent: row.user_agent,
      current: row.id === ctx.principal.credential.id,
      created_at: iso(row.created_at),
      last_used_at: row.last_used_at === null ? null : iso(row.last_used_at),
      expires_at: iso(row.expires_at),
    }),
  )
}

export const listSessionsEndpoint = endpoint({
  method: 'get',
  path: '/v1/sessions',
  tag: 'sessions',
  summary: 'List your sessions',
  auth: 'session',
  scope: null,
  limit: 'read',
  audit: 'sessions.list',
  query: PageQuery,
  reply: { 200: pageOf(SessionSchema) },
}).handle(({ ctx, query }) => listSessions(ctx, query))
