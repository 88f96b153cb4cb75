import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { Ctx } from '../../core/context.ts'
import type { Statement } from '../../core/db.ts'
import { endpoint } from '../../core/endpoint.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { IdParams } from '../../core/fields.ts'
import { OPEN } from '../delivery.ts'
import { enqueueDeliveries, FIRST_RESEND_MS } from '../delivery-queue.ts'
import { sealFor } from '../secrets.ts'
import {
  boundsOf,
  OWN,
  ownSubscription,
  ownValues,
  subscriptionFields,
  SubscriptionSchema,
  toSubscription,
  type Subscription,
  type ShownRow,
  type SubscriptionRow,
} from '../subscription.ts'
import { requireTarget, targetFields } from '../target.ts'
import { requireInterest, unique } from './create.ts'

export const UpdateSubscription = z
  .strictObject({
    status: z.enum(['active', 'paused']).optional(),
    channels: subscriptionFields.channels.optional(),
    events: subscriptionFields.events.optional(),
    filters: subscriptionFields.filters.optional(),
    delivery: z
      .strictObject({
        method: targetFields.method.optional(),
        url: targetFields.url.optional(),
        headers: targetFields.headers.nullable().optional(),
      })
      .optional(),
  })
  .openapi('UpdateSubscription')
type UpdateInput = z.output<typeof UpdateSubscription>

/** Deliveries that a resumption hands to the queue at once; the sweep goes on with the others. */
const RESUMED_AT_ONCE = 100

/** Pauses, resumes or changes a subscription. What is named is replaced whole; headers `null` removes them. */
export async function updateSubscription(ctx: Ctx, id: string, input: UpdateInput): Promise<Subscription> {
  const { db } = ctx
  const before = await ownSubscription(ctx, id)
  const { url, headers } = input.delivery ?? {}
  const channels = input.channels ?? (JSON.parse(before.channels) as string[])
  const events = input.events ?? (JSON.parse(before.event_types) as string[])
  requireInterest(boundsOf(before).scopes, { channels, events })
  if (url !== undefined) await requireTarget(ctx, url)
  const status = input.status ?? before.status
  if (!before.credential_lives || before.disabled_reason === 'credential_ended') {
    throw new AppError('conflict', { detail: 'The credential behind this subscription has ended. Make a new one.' })
  }
  const [[row]] = await db.batch<[ShownRow, never]>([
    db.statement(
      `update subscriptions as s set channels = ?4, event_types = ?5, filters = ?6, url = ?7, headers = ?8, status = ?9,
         disabled_reason = case when ?9 = 'disabled' then disabled_reason end,
         failing_since = case when ?9 = 'active' and status <> 'active' then null else failing_since end,
         expiry_notified_at = case when ?9 = 'active' and status <> 'active' then null else expiry_notified_at end,
         updated_at = ?10
       where s.id = ?11 and ${OWN} returning *, 1 as credential_lives`,
      ...ownValues(ctx),
      JSON.stringify(unique(channels)),
      JSON.stringify(unique(events)),
      input.filters === undefined ? before.filters : JSON.stringify(input.filters),
      url ?? before.url,
      headers === undefined ? before.headers : headers && (await sealFor(ctx, 'headers', id, JSON.stringify(headers))),
      status,
      ctx.now(),
      id,
    ),
    ...heldBack(ctx, id, status),
    auditStatement(ctx, 'events.subscriptions.update', 'exists (select 1 from subscriptions where id = ?)', id),
  ])
  if (!row) throw notFound('subscription')
  if (status === 'active' && before.status !== 'active') await releaseSome(ctx, id)
  return toSubscription(row)
}

/** Waiting deliveries follow the status: held while paused or disabled, due at once when resumed. */
function heldBack(ctx: Ctx, id: string, status: SubscriptionRow['status']): Statement[] {
  const now = ctx.now()
  return status === 'active'
    ? [
        ctx.db.statement(
          `update deliveries set status = 'pending', next_attempt_at = ?1, resend_at = ?1
           where subscription_id = ?2 and tenant_id = ?3 and ${OPEN} and status = 'waiting'`,
          now,
          id,
          ctx.principal.tenantId,
        ),
      ]
    : [
        ctx.db.statement(
          `update deliveries set status = 'waiting' where subscription_id = ? and tenant_id = ? and ${OPEN} and status = 'pending'`,
          id,
          ctx.principal.tenantId,
        ),
      ]
}

async function releaseSome(ctx: Ctx, id: string): Promise<void> {
  const rows = await ctx.db.write<{ id: string }>(
    `update deliveries set resend_at = ?1 where id in (select id from deliveries where subscription_id = ?2
       and tenant_id = ?3 and ${OPEN} and status = 'pending' and next_attempt_at <= ?4 order by created_at limit ${RESUMED_AT_ONCE})
     returning id`,
    ctx.now() + FIRST_RESEND_MS,
    id,
    ctx.principal.tenantId,
    ctx.now(),
  )
  await enqueueDeliveries(ctx, rows)
}

export const updateSubscriptionEndpoint = endpoint({
  method: 'patch',
  path: '/v1/events/subscriptions/{id}',
  tag: 'events',
  summary: 'Pause, resume or change a subscription',
  description:
    'What is published while it is paused or disabled waits for seven days and goes out when `status` is `active` again.',
  scope: 'write:events',
  limit: 'write',
  audit: 'events.subscriptions.update',
  params: IdParams,
  body: UpdateSubscription,
  reply: { 200: SubscriptionSchema },
  errors: ['not_found', 'conflict'],
  example: { body: { status: 'paused' } },
}).handle(({ ctx, params, body }) => updateSubscription(ctx, params.id, body))
