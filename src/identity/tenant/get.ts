import { endpoint } from '../../core/http/endpoint.ts'
import { TenantSchema, tenantOf, SAMPLE_TENANT } from './tenant.ts'

export const getTenantEndpoint = endpoint({
  method: 'get',
  path: '/v1/tenant',
  operationId: 'getTenant',
  tag: 'users',
  summary: 'Get your tenant',
  scope: 'read:profile',
  limit: 'read',
  audit: 'tenant.get',
  reply: { 200: TenantSchema },
  example: { reply: SAMPLE_TENANT },
}).handle(({ ctx }) => tenantOf(ctx))
