import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { newestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { oauth_clients } from '../table.ts'
import { AppSchema, toApp, type App, SAMPLE_APP } from './app.ts'
import { samplePage } from '../../core/sample.ts'

const appsOf = query((db, by: { user: string; tenant: string; before: number; beforeId: string; limit: number }) =>
  db
    .select()
    .from(oauth_clients)
    .where(
      and(
        eq(oauth_clients.user_id, by.user),
        eq(oauth_clients.tenant_id, by.tenant),
        isNull(oauth_clients.deleted_at),
        sql`(${oauth_clients.created_at}, ${oauth_clients.id}) < (${by.before}, ${by.beforeId})`,
      ),
    )
    .orderBy(desc(oauth_clients.created_at), desc(oauth_clients.id))
    .limit(by.limit),
)

/** The caller's applications, newest first. */
export async function listApps(ctx: AuthContext, input: z.output<typeof PageQuery>): Promise<Page<App>> {
  const { userId, tenantId } = ctx.principal
  const [before, beforeId] = newestFirst.after(input)
  const limit = input.limit + 1
  const rows = await ctx.db.all(appsOf, { user: userId, tenant: tenantId, before, beforeId, limit })
  return newestFirst.page(rows, input, toApp)
}

export const listAppsEndpoint = endpoint({
  method: 'get',
  path: '/v1/apps',
  operationId: 'listApps',
  tag: 'apps',
  summary: 'List your OAuth applications',
  auth: 'session',
  scope: null,
  limit: 'read',
  audit: 'apps.list',
  query: PageQuery,
  reply: { 200: pageOf(AppSchema) },
  example: { reply: samplePage({ ...SAMPLE_APP, require_pkce: true }) },
}).handle(({ ctx, query }) => listApps(ctx, query))
