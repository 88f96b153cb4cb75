import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { GrantSchema, ownGrant, toGrant, type Grant } from './grant.ts'

/** One live grant of the caller's; 404 for every other id. */
export async function getGrant(ctx: AuthContext, id: string): Promise<Grant> {
  ctx.trail.resourceIds = [id]
  return toGrant(await ownGrant(ctx, id))
}

export const getGrantEndpoint = endpoint({
  method: 'get',
  path: '/v1/grants/{id}',
  tag: 'grants',
  summary: 'Get a grant',
  auth: 'session',
  scope: null,
  limit: 'read',
  audit: 'grants.get',
  params: IdParams,
  reply: { 200: GrantSchema },
  errors: ['not_found'],
}).handle(({ ctx, params }) => getGrant(ctx, params.id))
