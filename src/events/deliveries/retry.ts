import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint, linksTo } from '../../core/http/endpoint.ts'
import { AppError } from '../../core/errors.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { DeliveryOrWritten, toDelivery, type Delivery, type DeliveryRow, SAMPLE_DELIVERY } from './delivery.ts'
import { enqueueDeliveries, FIRST_RESEND_MS } from '../webhooks/queue.ts'
import { WAITS_MS } from '../webhooks/expire.ts'
import { manageableSubscription } from '../subscriptions/subscription.ts'
import { ownDelivery } from './own-delivery.ts'

/**
 * Sends a delivery again, now and with a new schedule, under the same `webhook-id`. 409 while an attempt is under way, while the
 * subscription is not active, and after the event was erased.
 */
export async function retryDelivery(ctx: AuthContext, id: string): Promise<Delivery> {
  const { db } = ctx
  await manageableSubscription(ctx, (await ownDelivery(ctx, id)).subscription_id)
  ctx.trail.resourceIds = [id]
  const now = ctx.now()
  const [[row]] = await db.batch<[DeliveryRow, never]>([
    db.statement(
      `update deliveries set status = 'pending', attempts = 0, next_attempt_at = :now, resend_at = :resend_at, booked = 0,
         lease_id = null, delivered_at = null, expires_at = :expires_at
       where id = :id and tenant_id = :tenant and status <> 'sending'
         and exists (select 1 from subscriptions s where s.id = subscription_id and s.status = 'active' and s.deleted_at is null)
         and exists (select 1 from events e where e.id = event_id and e.expires_at > :now)
       returning *`,
      {
        now,
        resend_at: now + FIRST_RESEND_MS,
        expires_at: now + WAITS_MS,
        id,
        tenant: ctx.principal.tenantId,
      },
    ),
    auditStatement(
      ctx,
      'events.deliveries.retry',
      sql(`exists (select 1 from deliveries where id = :id and status = 'pending' and next_attempt_at = :now)`, {
        id,
        now,
      }),
    ),
  ])
  if (!row) {
    ctx.trail.committed = false
    throw new AppError('conflict', {
      detail: 'The delivery is being sent right now, its subscription is not active, or its event is no longer stored.',
    })
  }
  await enqueueDeliveries(ctx, ctx.db, [{ id }])
  return toDelivery(row)
}

export const retryDeliveryEndpoint = endpoint({
  method: 'post',
  path: '/v1/events/deliveries/{id}/retry',
  operationId: 'retryDelivery',
  tag: 'events',
  summary: 'Send a delivery again',
  scope: 'write:events',
  reads: 'read:events',
  limit: 'write',
  audit: 'events.deliveries.retry',
  params: IdParams,
  reply: { 202: DeliveryOrWritten },
  links: linksTo(['getDelivery', 'listDeliveryAttempts']),
  errors: ['not_found', 'conflict'],
  example: {
    params: { id: SAMPLE_IDS.delivery },
    reply: {
      ...SAMPLE_DELIVERY,
      status: 'pending',
      attempts: 0,
      next_attempt_at: '2026-11-21T09:31:00.000Z',
      delivered_at: null,
      expires_at: '2026-11-28T09:31:00.000Z',
    },
  },
}).handle(({ ctx, params }) => retryDelivery(ctx, params.id))
