import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { endGrant } from './end-grant.ts'
import { ownGrant } from './grant.ts'

/** Takes back one grant: its tokens are refused from the next request on. */
export async function deleteGrant(ctx: AuthContext, id: string): Promise<void> {
  ctx.trail.resourceIds = [id]
  await ownGrant(ctx, id)
  await endGrant(ctx, id, 'grants.delete')
}

export const deleteGrantEndpoint = endpoint({
  method: 'delete',
  path: '/v1/grants/{id}',
  operationId: 'revokeGrant',
  tag: 'grants',
  summary: 'Revoke a grant',
  description: 'The application loses access at its next request.',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'grants.delete',
  params: IdParams,
  reply: { 204: null },
  errors: ['not_found'],
  example: { params: { id: SAMPLE_IDS.grant } },
}).handle(({ ctx, params }) => deleteGrant(ctx, params.id))
