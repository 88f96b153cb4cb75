import { z } from '@hono/zod-openapi'
import { eq } from 'drizzle-orm'
import { auditStatement } from '../../audit/index.ts'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext, KeyPermission } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { endpoint, linksTo } from '../../core/http/endpoint.ts'
import { settleStatement } from '../../core/idempotency/settlement.ts'
import { AppError } from '../../core/errors.ts'
import { IdParams, idOf } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { channelOf, EVENT_TYPES, isBuiltInChannel } from '../catalog.ts'
import { isEphemeral, TYPING_LIFE_MS } from '../typing.ts'
import { enqueueDeliveries, FIRST_RESEND_MS } from '../webhooks/queue.ts'
import { WAITS_MS } from '../webhooks/expire.ts'
import { ownDelivery } from '../deliveries/own-delivery.ts'
import { eventStatement } from '../outbox.ts'
import { deliveries, events } from '../table.ts'
import { interestOf, manageableSubscription, type SubscriptionRow } from './subscription.ts'

const TestedSchema = z.object({ event_id: idOf('evt'), delivery_id: idOf('dlv') }).openapi('TestDelivery')
type Tested = z.infer<typeof TestedSchema>

const settleEvent = query((db, one: { id: string; now: number }) =>
  db.update(events).set({ settled_at: one.now }).where(eq(events.id, one.id)),
)

type NewDelivery = Pick<
  typeof deliveries.$inferSelect,
  'id' | 'tenant_id' | 'subscription_id' | 'event_id' | 'event_type' | 'resend_at' | 'expires_at'
>
const insertDelivery = query((db, row: NewDelivery & { now: number }) =>
  db.insert(deliveries).values({
    id: row.id,
    tenant_id: row.tenant_id,
    subscription_id: row.subscription_id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: 'pending',
    next_attempt_at: row.now,
    resend_at: row.resend_at,
    created_at: row.now,
    expires_at: row.expires_at,
  }),
)

/** Sends a sample event to this subscription alone, on the way of every event: guarded, signed, logged. */
export async function testSubscription(ctx: AuthContext, id: string): Promise<Tested> {
  const { db } = ctx
  const row = await manageableSubscription(ctx, id)
  if (row.status !== 'active') throw new AppError('conflict', { detail: 'Only an active subscription can be tested.' })
  const now = ctx.now()
  const event = { id: ctx.newId('evt'), tenantId: row.tenant_id, actor: 'system', ...sampleFor(ctx, row) }
  const deliveryId = ctx.newId('dlv')
  await db.batch([
    eventStatement(ctx, { ...event, targets: [row.user_id] }),
    // Settled without a fan-out, so that neither the owner's other subscriptions nor a resume gets it.
    db.statement(settleEvent, { id: event.id, now }),
    db.statement(insertDelivery, {
      id: deliveryId,
      tenant_id: row.tenant_id,
      subscription_id: id,
      event_id: event.id,
      event_type: event.type,
      now,
      resend_at: now + FIRST_RESEND_MS,
      expires_at: now + (isEphemeral(event.type) ? TYPING_LIFE_MS : WAITS_MS),
    }),
    auditStatement(ctx, 'events.subscriptions.test'),
    settleStatement(ctx, deliveryId),
  ])
  await enqueueDeliveries(ctx, ctx.db, [{ id: deliveryId }])
  return { event_id: event.id, delivery_id: deliveryId }
}

/** An event that the subscription asks for: its first type, with the values of its filters and of its key's limits. */
function sampleFor(ctx: AuthContext, row: SubscriptionRow) {
  const { channels, types, filters } = interestOf(row)
  const own = EVENT_TYPES.filter((type) => channelOf(type) === channels[0] && !isEphemeral(type))
  const type = types.find((one) => !isEphemeral(one)) ?? types[0] ?? own[0] ?? 'test.event'
  const channel = channelOf(type) ?? channels.find((name) => !isBuiltInChannel(name)) ?? 'test'
  const [permission] = row.permissions === null ? [] : (JSON.parse(row.permissions) as KeyPermission[])
  const conversationId = filters.conversation_id ?? (channel === 'conversation' ? 'test' : null)
  const facts = {
    projectId: filters.project_id ?? permission?.project_id ?? null,
    namespace: filters.namespace ?? permission?.namespaces?.[0] ?? null,
    scope: filters.scope ?? null,
    conversationId,
  }
  const data = {
    test: true,
    sent_at: iso(ctx.now()),
    ...(conversationId === null ? {} : { conversation_id: conversationId }),
    ...(type === 'typing.start' ? { expires_at: iso(ctx.now() + TYPING_LIFE_MS) } : {}),
    ...(channel === 'memory' ? sampleItem(ctx, facts) : {}),
  }
  return { type, channel, workspaceId: filters.workspace_id ?? null, ...facts, data }
}

/** The `data` of a memory event (`CATALOG`), of an item that does not exist. */
const sampleItem = (
  ctx: AuthContext,
  facts: { projectId: string | null; namespace: string | null; scope: string | null },
) => ({
  memory_id: ctx.newId('mem'),
  project_id: facts.projectId ?? ctx.newId('prj'),
  namespace: facts.namespace ?? 'default',
  scope: facts.scope ?? 'test',
  kind: 'note',
  version: 1,
  actor: 'system',
})

export const testSubscriptionEndpoint = endpoint({
  method: 'post',
  path: '/v1/events/subscriptions/{id}/test',
  operationId: 'testSubscription',
  tag: 'events',
  summary: 'Send a test event',
  scope: 'write:events',
  limit: 'write',
  audit: 'events.subscriptions.test',
  params: IdParams,
  reply: { 202: TestedSchema },
  links: linksTo(['getDelivery', 'listDeliveryAttempts', 'getDeliveryRequest'], { id: '$response.body#/delivery_id' }),
  errors: ['not_found', 'conflict'],
  idempotent: {
    mode: 'claimed',
    replay: async (ctx, id) => {
      const { event_id } = await ownDelivery(ctx, id)
      return { event_id, delivery_id: id }
    },
  },
  example: {
    params: { id: SAMPLE_IDS.subscription },
    reply: { event_id: SAMPLE_IDS.testEvent, delivery_id: SAMPLE_IDS.delivery },
  },
}).handle(({ ctx, params }) => testSubscription(ctx, params.id))
