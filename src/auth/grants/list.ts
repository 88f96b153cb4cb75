import type { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { newestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { endGrant } from './end-grant.ts'
import { GrantSchema, LIVE_GRANTS, ownGrant, toGrant, type Grant, type GrantRow } from './grant.ts'

/** What the caller has granted to applications, newest first; one grant for each approval. */
export async function listGrants(ctx: AuthContext, input: z.output<typeof PageQuery>): Promise<Page<Grant>> {
  const [before, beforeId] = newestFirst.after(input)
  const rows = await ctx.db.all<GrantRow>(
    `${LIVE_GRANTS} and (g.created_at, g.id) < (?4, ?5) order by g.created_at desc, g.id desc limit ?6`,
    ctx.principal.userId,
    ctx.principal.tenantId,
    ctx.now(),
    before,
    beforeId,
    input.limit + 1,
  )
  return newestFirst.page(rows, input, toGrant)
}

/** Takes back one grant: its tokens stop at their next request. */
export async function deleteGrant(ctx: AuthContext, id: string): Promise<void> {
  ctx.trail.resourceIds = [id]
  await ownGrant(ctx, id)
  await endGrant(ctx, id, 'grants.delete')
}

const session = { tag: 'grants', auth: 'session', scope: null } as const

export const grantEndpoints = [
  endpoint({
    ...session,
    method: 'get',
    path: '/v1/grants',
    summary: 'List what you granted to applications',
    limit: 'read',
    audit: 'grants.list',
    query: PageQuery,
    reply: { 200: pageOf(GrantSchema) },
  }).handle(({ ctx, query }) => listGrants(ctx, query)),
  endpoint({
    ...session,
    method: 'get',
    path: '/v1/grants/{id}',
    summary: 'Get a grant',
    limit: 'read',
    audit: 'grants.get',
    params: IdParams,
    reply: { 200: GrantSchema },
    errors: ['not_found'],
  }).handle(async ({ ctx, params }) => {
    ctx.trail.resourceIds = [params.id]
    return toGrant(await ownGrant(ctx, params.id))
  }),
  endpoint({
    ...session,
    method: 'delete',
    path: '/v1/grants/{id}',
    summary: 'Take a grant back',
    description: 'The application loses its access with its next request.',
    limit: 'write',
    audit: 'grants.delete',
    params: IdParams,
    reply: { 204: null },
    errors: ['not_found'],
  }).handle(({ ctx, params }) => deleteGrant(ctx, params.id)),
]
