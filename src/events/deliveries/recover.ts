import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint, linksTo } from '../../core/http/endpoint.ts'
import { invalid } from '../../core/errors.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { enqueueDeliveries, FIRST_RESEND_MS } from '../webhooks/queue.ts'
import { WAITS_MS } from '../webhooks/expire.ts'
import { manageableSubscription } from '../subscriptions/subscription.ts'
import type { DeliveryRow } from './delivery.ts'
import { instant } from './list.ts'

/** More would not fit into one commit. `has_more` tells that some are left. */
const MAX_RECOVERED = 1_000

export const Recover = z.strictObject({ since: instant, until: instant.optional() }).openapi('RecoverDeliveries')

const RecoveredSchema = z.object({ recovered: z.int(), has_more: z.boolean() }).openapi('RecoveredDeliveries')

/** A delivery that is due later and holds no reservation waits after a failure. One under way is `sending`. */
const WAITS_FOR_NEXT_ATTEMPT = `(status in ('pending', 'waiting') and next_attempt_at > :now and booked = 0)`

/** A delivery that is due, or whose consumer died, and whose message counts as lost (the sweep asks the same). */
const LOST = `(status in ('pending', 'sending') and resend_at <= :now)`

const RECOVERABLE = `from deliveries where subscription_id = :subscription and tenant_id = :tenant
  and (status in ('failed', 'expired') or ${WAITS_FOR_NEXT_ATTEMPT} or ${LOST})
  and created_at >= :since and created_at < :until
  and exists (select 1 from events e where e.id = event_id and e.expires_at > :now)`

/** Sends the deliveries of a span of time again that failed, expired, wait for their next attempt or were lost. Oldest first. */
export async function recoverDeliveries(
  ctx: AuthContext,
  id: string,
  input: z.output<typeof Recover>,
): Promise<z.infer<typeof RecoveredSchema>> {
  const { db } = ctx
  const now = ctx.now()
  const until = input.until ?? now + 1
  if (until <= input.since) throw invalid('until', 'wrong_order', 'until must be after since.')
  await manageableSubscription(ctx, id)
  const span = { subscription: id, tenant: ctx.principal.tenantId, since: input.since, until, now }
  const [rows, [left]] = await db.batch<[Pick<DeliveryRow, 'id' | 'status'>, { more: number }, never]>([
    db.statement(
      `update deliveries set attempts = 0, next_attempt_at = :now, resend_at = :resend_at, booked = 0, expires_at = :expires_at,
         status = case (select status from subscriptions where id = :subscription) when 'active' then 'pending' else 'waiting' end
       where id in (select id ${RECOVERABLE} order by created_at limit ${MAX_RECOVERED}) returning id, status`,
      { ...span, resend_at: now + FIRST_RESEND_MS, expires_at: now + WAITS_MS },
    ),
    db.statement(`select exists (select 1 ${RECOVERABLE}) as more`, span),
    auditStatement(ctx, 'events.deliveries.recover'),
  ])
  await enqueueDeliveries(
    ctx,
    db,
    rows.filter(({ status }) => status === 'pending'),
  )
  return { recovered: rows.length, has_more: left?.more === 1 }
}

export const recoverDeliveriesEndpoint = endpoint({
  method: 'post',
  path: '/v1/events/subscriptions/{id}/recover',
  operationId: 'recoverDeliveries',
  refusals: { wrong_order: '`until` is not after `since`' },
  tag: 'events',
  summary: 'Recover deliveries after an outage',
  description: `Sends deliveries immediately that are \`failed\` or \`expired\`, that wait for another attempt after a failure, or that are due but not yet picked up. Up to ${MAX_RECOVERED} per call; call again while \`has_more\` is true. If the subscription is not active, they wait.`,
  scope: 'write:events',
  limit: 'write',
  audit: 'events.deliveries.recover',
  params: IdParams,
  body: Recover,
  reply: { 202: RecoveredSchema },
  links: linksTo(['listDeliveries'], { id: '$request.path.id' }),
  errors: ['not_found'],
  example: {
    params: { id: SAMPLE_IDS.subscription },
    body: { since: '2026-11-21T00:00:00.000Z', until: '2026-11-22T00:00:00.000Z' },
    reply: { recovered: 1, has_more: false },
  },
}).handle(({ ctx, params, body }) => recoverDeliveries(ctx, params.id, body))
