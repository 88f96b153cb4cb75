import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { invalid } from '../../core/errors.ts'
import { travelsOn } from '../catalog.ts'
import { sealFor } from './sealed-fields.ts'
import { newSecret } from '../webhooks/sign.ts'
import {
  ownSubscription,
  requireMemoryScope,
  subscriptionFields,
  SubscriptionSchema,
  toSubscription,
  type Subscription,
  type ShownRow,
} from './subscription.ts'
import { requireTarget, targetFields } from './target.ts'

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

const INSERT = `
  insert into subscriptions (id, tenant_id, user_id, routing_id, credential_kind, credential_id, grant_id, scopes,
    permissions, channels, event_types, filters, url, headers, secret, status, created_at, updated_at)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, 'active', ?16, ?16)
  returning *, 1 as credential_lives`

/** Subscribes a webhook; what it may hear is bounded for life by the credential that makes it (contract §5). */
export async function createSubscription(
  ctx: AuthContext,
  input: z.output<typeof CreateSubscription>,
): Promise<Subscription> {
  const { principal, db } = ctx
  requireInterest(principal.scopes, input)
  await requireTarget(ctx, input.delivery.url)
  const id = ctx.newId('sub')
  ctx.trail.resourceIds = [id]
  const { headers, url } = input.delivery
  const [[row]] = await db.batch<[ShownRow, never]>([
    db.statement(
      INSERT,
      id,
      principal.tenantId,
      principal.userId,
      principal.routingId,
      principal.credential.kind,
      principal.credential.id,
      principal.credential.grantId,
      JSON.stringify(principal.scopes),
      principal.permissions === null ? null : JSON.stringify(principal.permissions),
      JSON.stringify(unique(input.channels)),
      JSON.stringify(unique(input.events)),
      JSON.stringify(input.filters),
      url,
      headers === undefined ? null : await sealFor(ctx, 'headers', id, JSON.stringify(headers)),
      await sealFor(ctx, 'secret', id, newSecret(ctx.random)),
      ctx.now(),
    ),
    auditStatement(ctx, 'events.subscribe'),
  ])
  if (!row) throw new Error('an insert answers its row')
  return toSubscription(row)
}

export const unique = (names: readonly string[]): string[] => [...new Set(names)]

/** Types outside the channels are 422; `memory` also needs `read:memory` of the credential that bounds it. */
export function requireInterest(
  scopes: readonly string[],
  { channels, events }: { channels: readonly string[]; events: readonly string[] },
): void {
  const stray = events.findIndex((type) => !channels.some((channel) => travelsOn(type, channel)))
  if (stray >= 0) throw invalid(`events.${stray}`, 'wrong_channel', `${events[stray]} travels on none of the channels.`)
  requireMemoryScope(scopes, channels)
}

export const createSubscriptionEndpoint = endpoint({
  method: 'post',
  path: '/api/events/subscriptions',
  tag: 'events',
  summary: 'Subscribe a webhook',
  description:
    'Each event that matches is sent as a signed POST (Standard Webhooks). Read the signing secret with ' +
    '`GET /v1/events/subscriptions/{id}/secret`. Custom headers are encrypted and never shown again.',
  scope: 'write:events',
  limit: 'events.subscribe',
  releasesWhenRefused: true,
  audit: 'events.subscribe',
  body: CreateSubscription,
  reply: { 201: SubscriptionSchema },
  idempotent: {
    mode: 'claimed',
    resource: (subscription: Subscription) => subscription.subscription_id,
    replay: async (ctx, id) => toSubscription(await ownSubscription(ctx, id)),
  },
  example: {
    body: {
      channels: ['conversation', 'memory'],
      events: ['message.new', 'memory.created'],
      filters: { conversation_id: 'c-42' },
      delivery: { method: 'webhook', url: 'https://example.com/hooks/recollect' },
    },
  },
}).handle(({ ctx, body }) => createSubscription(ctx, body))
