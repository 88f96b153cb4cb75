import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { answeredSubscription, SubscriptionSchema, toSubscription, SAMPLE_SUBSCRIPTION } from './subscription.ts'

export const getSubscriptionEndpoint = endpoint({
  method: 'get',
  path: '/v1/events/subscriptions/{id}',
  operationId: 'getSubscription',
  tag: 'events',
  summary: 'Get a subscription',
  scope: 'read:events',
  limit: 'read',
  audit: 'events.subscriptions.get',
  params: IdParams,
  reply: { 200: SubscriptionSchema },
  errors: ['not_found'],
  example: { params: { id: SAMPLE_IDS.subscription }, reply: SAMPLE_SUBSCRIPTION },
}).handle(async ({ ctx, params }) => toSubscription(await answeredSubscription(ctx, params.id)))
