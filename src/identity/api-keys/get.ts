import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { KeySchema, managedKey, refuseApplications, toKey } from './key.ts'

export const getKeyEndpoint = endpoint({
  method: 'get',
  path: '/v1/api-keys/{id}',
  tag: 'api-keys',
  summary: 'Get an API key',
  scope: 'admin:workspace',
  limit: 'read',
  audit: 'api_keys.get',
  params: IdParams,
  reply: { 200: KeySchema },
  errors: ['not_found', 'session_required'],
}).handle(async ({ ctx, params }) => {
  refuseApplications(ctx)
  ctx.trail.resourceIds = [params.id]
  return toKey(await managedKey(ctx, params.id), ctx.now())
})
