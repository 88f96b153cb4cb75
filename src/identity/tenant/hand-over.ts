import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import { reauthenticate } from '../../auth/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { anyId } from '../../core/http/fields.ts'
import { forbidden } from '../access.ts'
import { TenantSchema, tenantOf, type Tenant } from './tenant.ts'

export const HandOver = z.strictObject({
  owner_id: anyId.meta({ description: 'A person of your tenant.' }),
  password: z.string().min(1),
})

const PERSON = `exists (select 1 from users where id = ? and tenant_id = ? and kind = 'person' and deleted_at is null)`

/**
 * Makes another person the owner of the tenant. 403 if the caller is not its owner, 404 if `owner_id` is no person of
 * it, 409 if the owner or the password changed at the same moment.
 */
export async function handOver(ctx: AuthContext, input: z.output<typeof HandOver>): Promise<Tenant> {
  const { db, principal } = ctx
  const { userId, tenantId } = principal
  ctx.trail.resourceIds = [input.owner_id]
  if ((await tenantOf(ctx)).owner_id !== userId) throw forbidden('Only the owner of the tenant hands it over.')
  if (!(await db.first(`select 1 where ${PERSON}`, input.owner_id, tenantId))) throw notFound('user')
  const password = await reauthenticate(ctx, input.password, 'password')
  const may = `exists (select 1 from tenants where id = ? and owner_id = ?)
    and exists (select 1 from users where id = ? and password_hash = ?) and ${PERSON}`
  const values = [tenantId, userId, userId, password, input.owner_id, tenantId]
  const [, notices, [row]] = await db.batch<[never, { id: string }, { id: string }]>([
    auditStatement(ctx, 'tenant.hand_over', may, ...values),
    ctx.notification(
      db,
      {
        tenantId,
        userId: input.owner_id,
        code: 'tenant.owner',
        message: 'You are the owner of your tenant now.',
      },
      may,
      ...values,
    ),
    db.statement(
      `update tenants set owner_id = ? where id = ? and ${may} returning id`,
      input.owner_id,
      tenantId,
      ...values,
    ),
  ])
  if (!row) throw new AppError('conflict', { detail: 'The owner or the password changed at the same moment.' })
  // A sweep sends what is lost here.
  ctx.waitUntil(ctx.queues.send('events', [{ ids: notices.map((notice) => notice.id) }]))
  return tenantOf(ctx)
}

export const handOverEndpoint = endpoint({
  method: 'post',
  path: '/v1/tenant/owner',
  tag: 'users',
  summary: 'Hand the tenant over',
  description: 'Makes another person of the tenant its owner. Asks for the password once more.',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'tenant.hand_over',
  body: HandOver,
  reply: { 200: TenantSchema },
  errors: ['forbidden', 'not_found', 'conflict'],
  example: { body: { owner_id: 'usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG', password: 'correct horse battery' } },
}).handle(({ ctx, body }) => handOver(ctx, body))
