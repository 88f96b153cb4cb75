import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import { reauthenticate } from '../../auth/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { anyId } from '../../core/http/fields.ts'
import { commitThenSend } from '../../core/work.ts'
import { OWNER_MAY, PERSON, requireTenantOwner, TenantSchema, tenantOf, type Tenant, SAMPLE_TENANT } from './tenant.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import type { tenants } from '../../auth/table.ts'

export const HandOver = z.strictObject({
  owner_id: anyId.meta({ description: 'A person in your tenant.' }),
  password: z.string().min(1),
})

/**
 * Makes another person the owner of the tenant. 403 if the caller is not its owner, 404 if `owner_id` is no person of
 * it, 409 if the owner or the password changed at the same moment.
 */
export async function handOver(ctx: AuthContext, input: z.output<typeof HandOver>): Promise<Tenant> {
  const { db, principal } = ctx
  const { userId, tenantId } = principal
  ctx.trail.resourceIds = [input.owner_id]
  await requireTenantOwner(ctx)
  if (!(await db.first(`select 1 where ${PERSON}`, { person: input.owner_id, tenant: tenantId })))
    throw notFound('user', input.owner_id)
  const password = await reauthenticate(ctx, input.password, 'password')
  const may = sql(OWNER_MAY, { tenant: tenantId, owner: userId, password_hash: password, person: input.owner_id })
  const [, , [row]] = await commitThenSend<[never, never, RowOf<typeof tenants, 'id'>]>(ctx, db, [
    auditStatement(ctx, 'tenant.hand_over', may),
    ctx.notification(
      db,
      {
        tenantId,
        userId: input.owner_id,
        code: 'tenant.owner',
        message: 'You are now the owner of your tenant.',
      },
      may,
    ),
    db.statement(`update tenants set owner_id = :person where id = :tenant and ${may.sql} returning id`, may.params),
  ])
  if (!row)
    throw new AppError('conflict', { detail: 'Another request changed the owner or the password at the same time.' })
  return tenantOf(ctx)
}

export const handOverEndpoint = endpoint({
  method: 'post',
  path: '/v1/tenant/owner',
  operationId: 'handOverTenant',
  refusals: { wrong_password: 'the password is wrong' },
  tag: 'users',
  summary: 'Hand the tenant over',
  description: 'Makes another person in the tenant its owner. The password must be sent again.',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'tenant.hand_over',
  body: HandOver,
  reply: { 200: TenantSchema },
  errors: ['forbidden', 'not_found', 'conflict'],
  example: {
    body: { owner_id: SAMPLE_IDS.grace, password: 'correct horse battery' },
    reply: { ...SAMPLE_TENANT, owner_id: SAMPLE_IDS.grace },
  },
}).handle(({ ctx, body }) => handOver(ctx, body))
