import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { GrantSchema, ownGrant, toGrant, type Grant, SAMPLE_GRANT } from './grant.ts'

/** One live grant of the caller's; 404 for every other id. */
export async function getGrant(ctx: AuthContext, id: string): Promise<Grant> {
  ctx.trail.resourceIds = [id]
  return toGrant(await ownGrant(ctx, id))
}

export const getGrantEndpoint = endpoint({
  method: 'get',
  path: '/v1/grants/{id}',
  operationId: 'getGrant',
  tag: 'grants',
  summary: 'Get a grant',
  auth: 'session',
  scope: null,
  limit: 'read',
  audit: 'grants.get',
  params: IdParams,
  reply: { 200: GrantSchema },
  errors: ['not_found'],
  example: { params: { id: SAMPLE_IDS.grant }, reply: SAMPLE_GRANT },
}).handle(({ ctx, params }) => getGrant(ctx, params.id))
