import type { AuthContext } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import type { DeliveryRow } from './delivery.ts'
import { OWN, ownValues } from '../subscriptions/subscription.ts'

/** A delivery of one of the caller's subscriptions; 404 for other ids. */
export async function ownDelivery(ctx: AuthContext, id: string): Promise<DeliveryRow> {
  ctx.trail.resourceIds = [id]
  const row = await ctx.db.first<DeliveryRow>(
    `select d.* from deliveries d join subscriptions s on s.id = d.subscription_id and ${OWN} where d.id = :id`,
    { ...ownValues(ctx), id },
  )
  if (!row) throw notFound('delivery', id)
  return row
}
