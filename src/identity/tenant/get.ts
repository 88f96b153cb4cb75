import { endpoint } from '../../core/http/endpoint.ts'
import { TenantSchema, tenantOf } from './tenant.ts'

export const getTenantEndpoint = endpoint({
  method: 'get',
  path: '/v1/tenant',
  tag: 'users',
  summary: 'Get your tenant',
  scope: 'read:profile',
  limit: 'read',
  audit: 'tenant.get',
  reply: { 200: TenantSchema },
}).handle(({ ctx }) => tenantOf(ctx))
