import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext, KeyPermission } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { AppError } from '../../core/errors.ts'
import { IdParams, idOf } from '../../core/http/fields.ts'
import { channelOf, EVENT_TYPES, isEphemeral, isBuiltInChannel, TYPING_LIFE_MS } from '../catalog.ts'
import { enqueueDeliveries, FIRST_RESEND_MS, WAITS_MS } from '../webhooks/queue.ts'
import { ownDelivery } from '../deliveries/own-delivery.ts'
import { eventStatement } from '../outbox.ts'
import { interestOf, steeredSubscription, type SubscriptionRow } from './subscription.ts'

const TestedSchema = z.object({ event_id: idOf('evt'), delivery_id: idOf('dlv') }).openapi('TestDelivery')
type Tested = z.infer<typeof TestedSchema>

/** Sends a made-up event to this subscription alone, on the same way as any other: guarded, signed, logged. */
export async function testSubscription(ctx: AuthContext, id: string): Promise<Tested> {
  const { db } = ctx
  const row = await steeredSubscription(ctx, id)
  if (row.status !== 'active') throw new AppError('conflict', { detail: 'Only an active subscription can be tested.' })
  const now = ctx.now()
  const event = { id: ctx.newId('evt'), tenantId: row.tenant_id, actor: 'system', ...sampleFor(ctx, row) }
  const deliveryId = ctx.newId('dlv')
  await db.batch([
    eventStatement(ctx, { ...event, targets: [row.user_id] }),
    // Settled without a fan-out: neither the owner's other subscriptions nor a resume shall get it.
    db.statement('update events set settled_at = ?1 where id = ?2', now, event.id),
    db.statement(
      `insert into deliveries (id, tenant_id, subscription_id, event_id, event_type, status, next_attempt_at, resend_at,
         created_at, expires_at)
       values (?1, ?2, ?3, ?4, ?5, 'pending', ?6, ?7, ?6, ?8)`,
      deliveryId,
      row.tenant_id,
      id,
      event.id,
      event.type,
      now,
      now + FIRST_RESEND_MS,
      now + (isEphemeral(event.type) ? TYPING_LIFE_MS : WAITS_MS),
    ),
    auditStatement(ctx, 'events.subscriptions.test'),
  ])
  await enqueueDeliveries(ctx, [{ id: deliveryId }])
  return { event_id: event.id, delivery_id: deliveryId }
}

/** An event that the subscription asks for: its first type, with the facts that its filters and its key ask for. */
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
    ...(channel === 'memory' ? madeUpItem(ctx, facts) : {}),
  }
  return { type, channel, workspaceId: filters.workspace_id ?? null, ...facts, data }
}

/** What a memory event tells of its item (`CATALOG`), here of one that does not exist. */
const madeUpItem = (
  ctx: AuthContext,
  facts: { projectId: string | null; namespace: string | null; scope: string | null },
) => ({
  memory_id: ctx.newId('mem'),
  project_id: facts.projectId ?? ctx.newId('prj'),
  namespace: facts.namespace ?? 'default',
  scope: facts.scope ?? 'test',
  version: 1,
  actor: 'system',
})

export const testSubscriptionEndpoint = endpoint({
  method: 'post',
  path: '/v1/events/subscriptions/{id}/test',
  tag: 'events',
  summary: 'Send a test event',
  scope: 'write:events',
  limit: 'write',
  audit: 'events.subscriptions.test',
  params: IdParams,
  reply: { 202: TestedSchema },
  errors: ['not_found', 'conflict'],
  idempotent: {
    mode: 'claimed',
    resource: (tested: Tested) => tested.delivery_id,
    replay: async (ctx, id) => {
      const { event_id } = await ownDelivery(ctx, id)
      return { event_id, delivery_id: id }
    },
  },
}).handle(({ ctx, params }) => testSubscription(ctx, params.id))
