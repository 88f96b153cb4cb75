import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { query, wholeRow } from '../../core/database/query.ts'
import { endpoint, linksTo } from '../../core/http/endpoint.ts'
import { settleStatement } from '../../core/idempotency/settlement.ts'
import { invalid } from '../../core/errors.ts'
import { hintOnChannel, hintOn, travelsOn } from '../catalog.ts'
import { sealFor } from './sealed-fields.ts'
import { newSecret } from '../webhooks/sign.ts'
import {
  answeredSubscription,
  requireMemoryScope,
  subscriptionFields,
  SubscriptionSchema,
  toSubscription,
  type Subscription,
  type SubscriptionRow,
  SAMPLE_SUBSCRIPTION,
} from './subscription.ts'
import { subscriptions } from '../table.ts'
import { requireTarget, targetFields, TARGET_REFUSALS } from './target.ts'

export const CreateSubscription = z
  .strictObject({
    channels: subscriptionFields.channels,
    events: subscriptionFields.events.default([]),
    filters: subscriptionFields.filters.default({}),
    delivery: z.strictObject({
      method: targetFields.method,
      url: targetFields.url,
      headers: targetFields.headers.optional(),
    }),
  })
  .openapi('CreateSubscription')

const insertSubscription = query((db, row: SubscriptionRow) =>
  db.insert(subscriptions).values(wholeRow(subscriptions, row)),
)

/** Subscribes a webhook. The credential that makes it bounds its events for life (contract §5). */
export async function createSubscription(
  ctx: AuthContext,
  input: z.output<typeof CreateSubscription>,
): Promise<Subscription> {
  const { principal, db } = ctx
  requireInterest(ctx, principal.scopes, input)
  refuseMisspelt(input)
  await requireTarget(ctx, input.delivery.url)
  const id = ctx.newId('sub')
  ctx.trail.resourceIds = [id]
  const { headers, url } = input.delivery
  const now = ctx.now()
  const row: SubscriptionRow = {
    id,
    tenant_id: principal.tenantId,
    user_id: principal.userId,
    routing_id: principal.routingId,
    credential_kind: principal.credential.kind,
    credential_id: principal.credential.id,
    grant_id: principal.credential.grantId,
    scopes: JSON.stringify(principal.scopes),
    permissions: principal.permissions === null ? null : JSON.stringify(principal.permissions),
    channels: JSON.stringify(unique(input.channels)),
    event_types: JSON.stringify(unique(input.events)),
    filters: JSON.stringify(input.filters),
    url,
    headers: headers === undefined ? null : await sealFor(ctx, 'headers', id, JSON.stringify(headers)),
    secret: await sealFor(ctx, 'secret', id, newSecret(ctx.random)),
    previous_secret: null,
    previous_until: null,
    status: 'active',
    disabled_reason: null,
    failing_since: null,
    last_attempt_at: null,
    last_attempt_status_code: null,
    last_attempt_error: null,
    last_success_at: null,
    expiry_notified_at: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  }
  await db.batch([
    db.statement(insertSubscription, row),
    auditStatement(ctx, 'events.subscribe'),
    settleStatement(ctx, id),
  ])
  return toSubscription({ ...row, credential_lives: 1, waiting: 0 })
}

export const unique = (names: readonly string[]): string[] => [...new Set(names)]

interface Asked {
  channels: readonly string[]
  events: readonly string[]
  /** Those of the two that are stored and not sent. A refusal does not show them: the caller may only write (contract §2). */
  stored?: readonly ('channels' | 'events')[]
}

/** 422 for a type of another channel; 403 for the channel `memory` without `read:memory`. */
export function requireInterest(
  ctx: Pick<AuthContext, 'client'>,
  scopes: readonly string[],
  { channels, events, stored = [] }: Asked,
): void {
  const stray = events.findIndex((type) => !channels.some((channel) => travelsOn(type, channel)))
  const type = events[stray]
  if (type !== undefined) {
    const shownType = stored.includes('events') ? 'A type of the subscription' : `The type ${type}`
    const shownChannels = stored.includes('channels') ? 'of the subscription' : channels.join(', ')
    const hint = stored.includes('events') ? ' Send events too.' : hintOn(type)
    const message = `${shownType} does not belong to any of the channels ${shownChannels}.${hint}`
    throw invalid(`events.${stray}`, 'wrong_channel', message)
  }
  requireMemoryScope(ctx, scopes, channels)
}

/**
 * 422 for a channel that is almost a built-in one if no type is named: no event would ever arrive. To use a channel of
 * that name, a client names its types.
 */
export function refuseMisspelt({ channels, events, stored = [] }: Asked): void {
  if (events.length > 0) return
  for (const [at, channel] of channels.entries()) {
    const near = hintOnChannel(channel)
    if (near === null) continue
    const hint = stored.includes('channels') ? 'A channel of the subscription is almost a built-in one.' : near
    const message = `${hint} To use your own channel, list its types in events.`
    throw invalid(`channels.${at}`, 'misspelt_channel', message)
  }
}

export const createSubscriptionEndpoint = endpoint({
  method: 'post',
  path: '/api/events/subscriptions',
  operationId: 'createSubscription',
  refusals: {
    wrong_channel: 'a type in `events` does not belong to any of the channels',
    misspelt_channel: 'without `events`, a channel is within two letters of a built-in one',
    ...TARGET_REFUSALS,
  },
  tag: 'events',
  summary: 'Subscribe a webhook',
  description:
    'Sends each matching event as a signed POST (Standard Webhooks). Get the signing secret from ' +
    '`GET /v1/events/subscriptions/{id}/secret`. Custom headers are encrypted and never shown again. ' +
    'Also needs `read:events`, because the webhook receives what this scope may read.',
  scope: 'write:events',
  scopeFor: () => 'read:events',
  limit: 'events.subscribe',
  limitWhenRefused: 'events.refused',
  audit: 'events.subscribe',
  body: CreateSubscription,
  reply: { 201: SubscriptionSchema },
  links: [
    ...linksTo(
      [
        'getSubscription',
        'updateSubscription',
        'getSubscriptionSecret',
        'rotateSubscriptionSecret',
        'testSubscription',
        'listDeliveries',
        'recoverDeliveries',
      ],
      { id: '$response.body#/subscription_id' },
    ),
    ...linksTo(['deleteSubscription', 'getDeliverySeries'], { subscription_id: '$response.body#/subscription_id' }),
  ],
  idempotent: {
    mode: 'claimed',
    replay: async (ctx, id) => toSubscription(await answeredSubscription(ctx, id)),
  },
  example: {
    body: {
      channels: ['conversation', 'memory'],
      events: ['message.new', 'memory.created'],
      filters: { conversation_id: 'chat-17' },
      delivery: { method: 'webhook', url: 'https://example.com/hooks/recollect' },
    },
    reply: SAMPLE_SUBSCRIPTION,
  },
}).handle(({ ctx, body }) => createSubscription(ctx, body))
