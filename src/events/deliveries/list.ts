import { z } from '@hono/zod-openapi'
import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { newestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS, samplePage } from '../../core/sample.ts'
import { DeliverySchema, toDelivery, type Delivery, SAMPLE_DELIVERY } from './delivery.ts'
import { ownSubscription } from '../subscriptions/subscription.ts'
import { deliveries, DELIVERY_STATUSES, type DeliveryStatus } from '../table.ts'

export const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .meta({ format: 'date-time' })

export const ListDeliveries = PageQuery.extend({
  status: z.enum(DELIVERY_STATUSES).optional(),
  since: instant.optional(),
  until: instant.optional(),
})

interface DeliveryPage {
  subscription: string
  tenant: string
  before: number
  beforeId: string
  status: DeliveryStatus | null
  since: number
  until: number
  limit: number
}

const deliveriesBefore = query((db, page: DeliveryPage) =>
  db
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.subscription_id, page.subscription),
        eq(deliveries.tenant_id, page.tenant),
        sql`(${deliveries.created_at}, ${deliveries.id}) < (${page.before}, ${page.beforeId})`,
        sql`(${page.status} is null or ${deliveries.status} = ${page.status})`,
        gte(deliveries.created_at, page.since),
        lt(deliveries.created_at, page.until),
      ),
    )
    .orderBy(desc(deliveries.created_at), desc(deliveries.id))
    .limit(page.limit),
)

/** Deliveries of one subscription, newest first; `since` is included, `until` is not. */
export async function listDeliveries(
  ctx: AuthContext,
  id: string,
  input: z.output<typeof ListDeliveries>,
): Promise<Page<Delivery>> {
  await ownSubscription(ctx, id)
  const [before, beforeId] = newestFirst.after(input)
  const rows = await ctx.db.all(deliveriesBefore, {
    subscription: id,
    tenant: ctx.principal.tenantId,
    before,
    beforeId,
    status: input.status ?? null,
    since: input.since ?? 0,
    until: input.until ?? Number.MAX_SAFE_INTEGER,
    limit: input.limit + 1,
  })
  return newestFirst.page(rows, input, toDelivery)
}

export const listDeliveriesEndpoint = endpoint({
  method: 'get',
  path: '/v1/events/subscriptions/{id}/deliveries',
  operationId: 'listDeliveries',
  tag: 'events',
  summary: 'List deliveries',
  scope: 'read:events',
  limit: 'read',
  audit: 'events.deliveries.list',
  params: IdParams,
  query: ListDeliveries,
  reply: { 200: pageOf(DeliverySchema) },
  errors: ['not_found'],
  example: {
    params: { id: SAMPLE_IDS.subscription },
    query: { status: 'delivered' },
    reply: samplePage(SAMPLE_DELIVERY),
  },
}).handle(({ ctx, params, query }) => listDeliveries(ctx, params.id, query))
