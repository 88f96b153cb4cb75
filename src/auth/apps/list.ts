import type { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { newestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { AppSchema, ownApp, toApp, type App, type AppRow } from './app.ts'

/** The caller's applications, newest first. */
export async function listApps(ctx: AuthContext, input: z.output<typeof PageQuery>): Promise<Page<App>> {
  const [before, beforeId] = newestFirst.after(input)
  const rows = await ctx.db.all<AppRow>(
    `select * from oauth_clients
     where user_id = ? and tenant_id = ? and deleted_at is null and (created_at, id) < (?, ?)
     order by created_at desc, id desc limit ?`,
    ctx.principal.userId,
    ctx.principal.tenantId,
    before,
    beforeId,
    input.limit + 1,
  )
  return newestFirst.page(rows, input, toApp)
}

export const listAppsEndpoint = endpoint({
  method: 'get',
  path: '/v1/apps',
  tag: 'apps',
  summary: 'List your OAuth applications',
  auth: 'session',
  scope: null,
  limit: 'read',
  audit: 'apps.list',
  query: PageQuery,
  reply: { 200: pageOf(AppSchema) },
}).handle(({ ctx, query }) => listApps(ctx, query))

export const getAppEndpoint = endpoint({
  method: 'get',
  path: '/v1/apps/{id}',
  tag: 'apps',
  summary: 'Get an OAuth application',
  auth: 'session',
  scope: null,
  limit: 'read',
  audit: 'apps.get',
  params: IdParams,
  reply: { 200: AppSchema },
  errors: ['not_found'],
}).handle(async ({ ctx, params }) => {
  ctx.trail.resourceIds = [params.id]
  return toApp(await ownApp(ctx, params.id))
})
