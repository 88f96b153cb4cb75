import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { ownSubscription, SubscriptionSchema, toSubscription } from './subscription.ts'

export const getSubscriptionEndpoint = endpoint({
  method: 'get',
  path: '/v1/events/subscriptions/{id}',
  tag: 'events',
  summary: 'Get a subscription',
  scope: 'read:events',
  limit: 'read',
  audit: 'events.subscriptions.get',
  params: IdParams,
  reply: { 200: SubscriptionSchema },
  errors: ['not_found'],
}).handle(async ({ ctx, params }) => toSubscription(await ownSubscription(ctx, params.id)))
