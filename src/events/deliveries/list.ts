import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { newestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { DeliverySchema, toDelivery, type Delivery, type DeliveryRow } from './delivery.ts'
import { ownSubscription } from '../subscriptions/subscription.ts'
import { DELIVERY_STATUSES } from '../table.ts'

export const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .meta({ format: 'date-time' })

export const ListDeliveries = PageQuery.extend({
  status: z.enum(DELIVERY_STATUSES).optional(),
  since: instant.optional(),
  until: instant.optional(),
})

/** Deliveries of one subscription, newest first; `since` is included, `until` is not. */
export async function listDeliveries(
  ctx: AuthContext,
  id: string,
  input: z.output<typeof ListDeliveries>,
): Promise<Page<Delivery>> {
  await ownSubscription(ctx, id)
  const [before, beforeId] = newestFirst.after(input)
  const rows = await ctx.db.all<DeliveryRow>(
    `select * from deliveries where subscription_id = ?1 and tenant_id = ?2 and (created_at, id) < (?3, ?4)
       and (?5 is null or status = ?5) and created_at >= ?6 and created_at < ?7
     order by created_at desc, id desc limit ?8`,
    id,
    ctx.principal.tenantId,
    before,
    beforeId,
    input.status ?? null,
    input.since ?? 0,
    input.until ?? Number.MAX_SAFE_INTEGER,
    input.limit + 1,
  )
  return newestFirst.page(rows, input, toDelivery)
}

export const listDeliveriesEndpoint = endpoint({
  method: 'get',
  path: '/v1/events/subscriptions/{id}/deliveries',
  tag: 'events',
  summary: 'List deliveries',
  scope: 'read:events',
  limit: 'read',
  audit: 'events.deliveries.list',
  params: IdParams,
  query: ListDeliveries,
  reply: { 200: pageOf(DeliverySchema) },
  errors: ['not_found'],
}).handle(({ ctx, params, query }) => listDeliveries(ctx, params.id, query))
