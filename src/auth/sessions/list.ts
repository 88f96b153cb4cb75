import { and, desc, sql } from 'drizzle-orm'
import type { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { newestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { sessions } from '../table.ts'
import { isLive, SESSION_COLUMNS, SessionSchema, toSession, type Session, SAMPLE_SESSION } from './session.ts'
import { SAMPLE_IDS, samplePage } from '../../core/sample.ts'

const liveSessions = query((db, by: { user: string; now: number; before: number; beforeId: string; limit: number }) =>
  db
    .select(SESSION_COLUMNS)
    .from(sessions)
    .where(and(isLive(by), sql`(${sessions.created_at}, ${sessions.id}) < (${by.before}, ${by.beforeId})`))
    .orderBy(desc(sessions.created_at), desc(sessions.id))
    .limit(by.limit),
)

/** The caller's live sessions, newest first. */
export async function listSessions(ctx: AuthContext, input: z.output<typeof PageQuery>): Promise<Page<Session>> {
  const [before, beforeId] = newestFirst.after(input)
  const of = { user: ctx.principal.userId, now: ctx.now() }
  const rows = await ctx.db.all(liveSessions, { ...of, before, beforeId, limit: input.limit + 1 })
  return newestFirst.page(rows, input, (row) => toSession(ctx, row))
}

export const listSessionsEndpoint = endpoint({
  method: 'get',
  path: '/v1/sessions',
  operationId: 'listSessions',
  tag: 'sessions',
  summary: 'List your sessions',
  auth: 'session',
  scope: null,
  limit: 'read',
  audit: 'sessions.list',
  query: PageQuery,
  reply: { 200: pageOf(SessionSchema) },
  example: { reply: samplePage(SAMPLE_SESSION, { ...SAMPLE_SESSION, id: SAMPLE_IDS.otherSession, current: false }) },
}).handle(({ ctx, query }) => listSessions(ctx, query))
