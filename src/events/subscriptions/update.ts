import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import type { Statement } from '../../core/database/database.ts'
import { joined, sql, type Sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { AppError } from '../../core/errors.ts'
import { IdParams } from '../../core/http/fields.ts'
import { boundsOf } from '../access.ts'
import { OPEN } from '../deliveries/delivery.ts'
import type { deliveries } from '../table.ts'
import { enqueueDeliveries, FIRST_RESEND_MS } from '../webhooks/queue.ts'
import { waitingOf } from './health.ts'
import { sealFor } from './sealed-fields.ts'
import {
  OWN,
  ownValues,
  subscriptionFields,
  manageableSubscription,
  SubscriptionOrWritten,
  toSubscription,
  type Subscription,
  type AnsweredSubscription,
  SAMPLE_SUBSCRIPTION,
} from './subscription.ts'
import { requireTarget, targetFields, TARGET_REFUSALS } from './target.ts'
import { refuseMisspelt, requireInterest, unique } from './create.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'

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

/** Deliveries that a resume enqueues at once. The sweep enqueues the others. */
const MAX_ENQUEUED = 100

/** Pauses, resumes or changes a subscription. A named field is replaced whole; headers `null` removes them. */
export async function updateSubscription(ctx: AuthContext, id: string, input: UpdateInput): Promise<Subscription> {
  if (input.delivery?.url !== undefined) await requireTarget(ctx, input.delivery.url)
  // The subscription may change between check and write. It is checked and written once more, then the answer is 409.
  const row = (await tryUpdate(ctx, id, input)) ?? (await tryUpdate(ctx, id, input))
  if (row) return toSubscription(row)
  ctx.trail.committed = false
  throw new AppError('conflict', { detail: 'Other requests are changing this subscription. Try again.' })
}

/** Writes the named fields; null where the subscription has changed since it was checked. */
async function tryUpdate(ctx: AuthContext, id: string, input: UpdateInput): Promise<AnsweredSubscription | null> {
  const { db, principal } = ctx
  const before = await manageableSubscription(ctx, id)
  const { url, headers = changesOrigin(before.url, url) ? null : undefined } = input.delivery ?? {}
  const channels = input.channels ?? (JSON.parse(before.channels) as string[])
  const events = input.events ?? (JSON.parse(before.event_types) as string[])
  const asked = { channels, events, stored: (['channels', 'events'] as const).filter((list) => !input[list]) }
  requireInterest(ctx, boundsOf(before).scopes, asked)
  requireInterest(ctx, principal.scopes, asked)
  if (asked.stored.length < 2) refuseMisspelt(asked)
  if (!before.credential_lives || before.disabled_reason === 'credential_ended') {
    throw new AppError('conflict', {
      detail: 'The credential of this subscription has ended. Create a new subscription.',
    })
  }
  // Later than every earlier change, so that `updated_at` tells whether this one took place.
  const now = Math.max(ctx.now(), before.updated_at + 1)
  const updated = sql('exists (select 1 from subscriptions where id = :id and updated_at = :updated_at)', {
    id,
    updated_at: now,
  })
  const [[row]] = await db.batch<[AnsweredSubscription, never]>([
    db.statement(
      `update subscriptions as s set channels = coalesce(:channels, channels), event_types = coalesce(:events, event_types),
         filters = coalesce(:filters, filters), url = coalesce(:url, url),
         headers = case when :sets_headers then :headers else headers end,
         status = coalesce(:status, status), disabled_reason = case when :status is null then disabled_reason end,
         failing_since = case when :status = 'active' and status <> 'active' then null else failing_since end,
         expiry_notified_at = case when :status = 'active' and status <> 'active' then null else expiry_notified_at end,
         updated_at = :now
       where s.id = :id and ${OWN} and s.status = :status_before and s.updated_at = :updated_before
       returning *, 1 as credential_lives, ${waitingOf(':id')} as waiting`,
      {
        ...ownValues(ctx),
        channels: input.channels ? JSON.stringify(unique(input.channels)) : null,
        events: input.events ? JSON.stringify(unique(input.events)) : null,
        filters: input.filters ? JSON.stringify(input.filters) : null,
        url: url ?? null,
        sets_headers: Number(headers !== undefined),
        headers: headers ? await sealFor(ctx, 'headers', id, JSON.stringify(headers)) : null,
        status: input.status ?? null,
        now,
        id,
        status_before: before.status,
        updated_before: before.updated_at,
      },
    ),
    ...(input.status === undefined ? [] : [deliveriesStatement(ctx, id, input.status, updated)]),
    auditStatement(ctx, 'events.subscriptions.update', updated),
  ])
  if (!row) return null
  if (input.status === 'active' && before.status !== 'active') await enqueueSome(ctx, id)
  return row
}

/** Whether the origin changes. The stored headers are credentials of the old receiver, so another origin does not get them. */
const changesOrigin = (from: string, to: string | undefined): boolean =>
  to !== undefined && URL.parse(from)?.origin !== URL.parse(to)?.origin

/** Deliveries follow the status: they wait while it is paused and are due at once when it is resumed. */
function deliveriesStatement(ctx: AuthContext, id: string, status: 'active' | 'paused', updated: Sql): Statement {
  const params = joined({ subscription: id, tenant: ctx.principal.tenantId }, updated.params)
  const which = `where subscription_id = :subscription and tenant_id = :tenant and ${updated.sql} and ${OPEN}`
  return status === 'active'
    ? ctx.db.statement(
        `update deliveries set status = 'pending', next_attempt_at = :now, resend_at = :now ${which} and status = 'waiting'`,
        { ...params, now: ctx.now() },
      )
    : ctx.db.statement(`update deliveries set status = 'waiting' ${which} and status = 'pending'`, params)
}

async function enqueueSome(ctx: AuthContext, id: string): Promise<void> {
  const rows = await ctx.db.write<RowOf<typeof deliveries, 'id'>>(
    `update deliveries set resend_at = :resend_at where id in (
       select id from deliveries where subscription_id = :subscription and tenant_id = :tenant and ${OPEN}
         and status = 'pending' and next_attempt_at <= :now order by created_at limit ${MAX_ENQUEUED})
     returning id`,
    {
      resend_at: ctx.now() + FIRST_RESEND_MS,
      subscription: id,
      tenant: ctx.principal.tenantId,
      now: ctx.now(),
    },
  )
  await enqueueDeliveries(ctx, ctx.db, rows)
}

export const updateSubscriptionEndpoint = endpoint({
  method: 'patch',
  path: '/v1/events/subscriptions/{id}',
  operationId: 'updateSubscription',
  refusals: {
    wrong_channel: 'a type in `events` does not belong to any of the channels',
    misspelt_channel: 'without `events`, a channel is within two letters of a built-in one',
    ...TARGET_REFUSALS,
  },
  tag: 'events',
  summary: 'Pause, resume or change a subscription',
  description:
    'Events published while it is paused or disabled wait for seven days and are sent when `status` is `active` again. ' +
    'A `delivery.url` with another origin drops the stored headers unless new `headers` are sent with it. ' +
    '`delivery` also needs `read:events`, because it decides who receives what this scope may read.',
  scope: 'write:events',
  scopeForBody: ({ delivery }: UpdateInput) => (delivery ? 'read:events' : null),
  reads: 'read:events',
  limit: 'write',
  audit: 'events.subscriptions.update',
  params: IdParams,
  body: UpdateSubscription,
  reply: { 200: SubscriptionOrWritten },
  errors: ['not_found', 'conflict'],
  example: {
    params: { id: SAMPLE_IDS.subscription },
    body: { status: 'paused' },
    reply: { ...SAMPLE_SUBSCRIPTION, status: 'paused' },
  },
}).handle(({ ctx, params, body }) => updateSubscription(ctx, params.id, body))
