import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'
import { credentialMayReceive, mayReceive } from '../access.ts'
import type { EventRow } from '../event.ts'
import { customHeaders, signingSecrets } from '../subscriptions/sealed-fields.ts'
import { needsMemoryScope, type SubscriptionRow } from '../subscriptions/subscription.ts'
import { signatureHeaders } from '../webhooks/sign.ts'
import { FIXED_HEADERS, webhookBody } from '../webhooks/webhook-request.ts'
import { ownDelivery } from './own-delivery.ts'

export const DeliveryRequestSchema = z
  .object({
    method: z.literal('POST'),
    url: z.string().meta({ description: 'The current address of the subscription.' }),
    headers: z.record(z.string(), z.string()).meta({
      description: 'Signed with the time of this response if the caller can read the signing secret.',
    }),
    custom_headers: z
      .array(z.string())
      .meta({ description: 'The names of the custom headers. Their values are not shown.' }),
    body: z.string().meta({ description: 'Exactly the bytes that every attempt sends.' }),
  })
  .openapi('DeliveryRequest')
export type DeliveryRequest = z.infer<typeof DeliveryRequestSchema>

type Sent = Pick<SubscriptionRow, 'url' | 'headers' | 'secret' | 'previous_secret' | 'previous_until' | 'channels'> &
  EventRow

const SENT = `
  select s.url, s.headers, s.secret, s.previous_secret, s.previous_until, s.channels, e.*
  from subscriptions s join events e on e.id = :event and e.expires_at > :now
  where s.id = :subscription and ${mayReceive('e', ':caller')}`

/**
 * What a delivery sends, to be read or sent by hand. 404 once its event is erased, and for a caller who may not receive
 * the event now: what a role or a credential no longer opens is not read here either.
 */
export async function deliveryRequest(ctx: AuthContext, id: string): Promise<DeliveryRequest> {
  const { principal } = ctx
  const delivery = await ownDelivery(ctx, id)
  const now = ctx.now()
  const { subscription_id, event_id } = delivery
  const sent = await ctx.db.first<Sent>(SENT, {
    subscription: subscription_id,
    event: event_id,
    caller: principal.userId,
    now,
  })
  if (!sent || !credentialMayReceive(principal, sent)) throw unreadable()
  ctx.trail.projectId = sent.project_id
  ctx.trail.workspaceId = sent.workspace_id
  const subscription = { ...sent, id: subscription_id }
  const body = webhookBody({ subscription_id, delivery_created_at: delivery.created_at }, sent)
  const secrets = mayReadSecret(ctx, subscription) ? await signingSecrets(ctx, subscription, now) : []
  const signature = secrets.length > 0 ? signatureHeaders(secrets, id, now, body) : { 'webhook-id': id }
  return {
    method: 'POST',
    url: sent.url,
    headers: { ...FIXED_HEADERS, ...signature },
    custom_headers: Object.keys(await customHeaders(ctx, subscription)),
    body,
  }
}

const SAMPLE_BODY = {
  subscription_id: SAMPLE_IDS.subscription,
  events: [
    {
      id: SAMPLE_IDS.testEvent,
      type: 'message.new',
      channel: 'conversation',
      timestamp: SAMPLE_TIME,
      data: { test: true, sent_at: SAMPLE_TIME, conversation_id: 'chat-17' },
    },
  ],
  timestamp: SAMPLE_TIME,
}

/** Whether the caller could read the signing secret at its own endpoint. */
const mayReadSecret = (
  { principal: { scopes } }: AuthContext,
  { channels }: Pick<SubscriptionRow, 'channels'>,
): boolean => scopes.includes('write:events') && !needsMemoryScope(scopes, JSON.parse(channels) as string[])

const unreadable = (): AppError =>
  new AppError('not_found', { detail: 'The event is no longer stored, or you can no longer receive it.' })

export const deliveryRequestEndpoint = endpoint({
  method: 'get',
  path: '/v1/events/deliveries/{id}/request',
  operationId: 'getDeliveryRequest',
  tag: 'events',
  summary: 'Show what a delivery sends',
  description:
    'Returns the request that its attempts send: address, headers and body. The values of custom headers are not shown. With `write:events` it has a fresh signature, so that a receiver accepts it when you send it by hand.',
  scope: 'read:events',
  limit: 'read',
  audit: 'events.deliveries.request',
  params: IdParams,
  reply: { 200: DeliveryRequestSchema },
  errors: ['not_found'],
  example: {
    params: { id: SAMPLE_IDS.delivery },
    reply: {
      method: 'POST',
      url: 'https://example.com/hooks/recollect',
      headers: {
        ...FIXED_HEADERS,
        'webhook-id': SAMPLE_IDS.delivery,
        'webhook-timestamp': '1795253400',
        'webhook-signature': 'v1,…',
      },
      custom_headers: [],
      body: JSON.stringify(SAMPLE_BODY),
    },
  },
}).handle(({ ctx, params }) => deliveryRequest(ctx, params.id))
