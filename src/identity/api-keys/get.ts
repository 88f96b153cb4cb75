import { z } from '@hono/zod-openapi'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { KeySchema, managedKey, refuseApplications, toKey, SAMPLE_KEY } from './key.ts'
import { includeRevoked } from './revoked.ts'

export const getKeyEndpoint = endpoint({
  method: 'get',
  path: '/v1/api-keys/{id}',
  operationId: 'getApiKey',
  tag: 'api-keys',
  summary: 'Get an API key',
  description: '`include=revoked` also finds a key that was revoked within the last 90 days.',
  scope: 'admin:workspace',
  limit: 'read',
  audit: 'api_keys.get',
  params: IdParams,
  query: z.strictObject({ include: includeRevoked }),
  reply: { 200: KeySchema },
  errors: ['not_found', 'session_required'],
  example: { params: { id: SAMPLE_IDS.key }, reply: SAMPLE_KEY },
}).handle(async ({ ctx, params, query }) => {
  refuseApplications(ctx)
  ctx.trail.resourceIds = [params.id]
  return toKey(await managedKey(ctx, params.id, query.include), ctx.now())
})
