import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { notFound } from '../../core/errors.ts'
import { anyId, idOf, onlyTrue } from '../../core/http/fields.ts'
import { OPEN } from '../deliveries/delivery.ts'
import { OWN, ownValues } from './subscription.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import type { subscriptions } from '../table.ts'

const DeletedSchema = z.object({ subscription_id: idOf('sub'), deleted: onlyTrue }).openapi('DeletedSubscription')

/** Deletes a subscription with its secrets. Its open deliveries expire. */
export async function deleteSubscription(ctx: AuthContext, id: string): Promise<z.infer<typeof DeletedSchema>> {
  const { db } = ctx
  ctx.trail.resourceIds = [id]
  const now = ctx.now()
  const deleted = sql(
    `exists (select 1 from subscriptions
       where id = :id and deleted_at = :now and tenant_id = :tenant and user_id = :caller)`,
    { id, now, tenant: ctx.principal.tenantId, caller: ctx.principal.userId },
  )
  const [[row]] = await db.batch<[RowOf<typeof subscriptions, 'id'>, never, never]>([
    db.statement(
      `update subscriptions as s set deleted_at = :now, filters = '{}', headers = null, secret = '', previous_secret = null
       where s.id = :id and ${OWN} returning id`,
      { ...ownValues(ctx), now, id },
    ),
    db.statement(
      `update deliveries set status = 'expired', lease_id = null, last_error = 'subscription_deleted'
       where subscription_id = :id and ${OPEN} and ${deleted.sql}`,
      deleted.params,
    ),
    auditStatement(ctx, 'events.unsubscribe', deleted),
  ])
  if (row) return { subscription_id: id, deleted: true }
  ctx.trail.committed = false
  throw notFound('subscription', id)
}

export const deleteSubscriptionEndpoint = endpoint({
  method: 'delete',
  path: '/api/events/subscriptions/{subscription_id}',
  operationId: 'deleteSubscription',
  tag: 'events',
  summary: 'Delete a subscription',
  scope: 'write:events',
  limit: 'write',
  audit: 'events.unsubscribe',
  params: z.strictObject({ subscription_id: anyId }),
  reply: { 200: DeletedSchema },
  errors: ['not_found'],
  example: {
    params: { subscription_id: SAMPLE_IDS.subscription },
    reply: { subscription_id: SAMPLE_IDS.subscription, deleted: true },
  },
}).handle(({ ctx, params }) => deleteSubscription(ctx, params.subscription_id))
