import type { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { newestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { GrantSchema, LIVE_GRANTS, toGrant, type Grant, type GrantRow, SAMPLE_GRANT } from './grant.ts'
import { samplePage } from '../../core/sample.ts'

/** What the caller has granted to applications, newest first; one grant for each approval. */
export async function listGrants(ctx: AuthContext, input: z.output<typeof PageQuery>): Promise<Page<Grant>> {
  const [before, beforeId] = newestFirst.after(input)
  const rows = await ctx.db.all<GrantRow>(
    `${LIVE_GRANTS} and (g.created_at, g.id) < (:before, :before_id) order by g.created_at desc, g.id desc limit :limit`,
    {
      caller: ctx.principal.userId,
      tenant: ctx.principal.tenantId,
      now: ctx.now(),
      before,
      before_id: beforeId,
      limit: input.limit + 1,
    },
  )
  return newestFirst.page(rows, input, toGrant)
}

export const listGrantsEndpoint = endpoint({
  method: 'get',
  path: '/v1/grants',
  operationId: 'listGrants',
  tag: 'grants',
  summary: 'List the access that you granted to applications',
  auth: 'session',
  scope: null,
  limit: 'read',
  audit: 'grants.list',
  query: PageQuery,
  reply: { 200: pageOf(GrantSchema) },
  example: { reply: samplePage(SAMPLE_GRANT) },
}).handle(({ ctx, query }) => listGrants(ctx, query))
