import { CANARY } from '../../support/canaries.ts'
import { NEVER, type Requests } from './requests.ts'

const URL_OF_OURS = 'https://elsewhere.example.com/in'

export const EVENT_REQUESTS: Requests = {
  publishEvent: ({ owner }, replays) => {
    const body = { type: 'message.new', data: { conversation_id: 'c' }, project_id: owner.projectId }
    return [
      { status: 202, body },
      replays({ status: 202, body }),
      { status: 422, body: { ...body, channel: 'memory' } },
      { status: 422, body: { ...body, data: {} } },
      { status: 404, body: { ...body, project_id: NEVER } },
    ]
  },
  createSubscription: ({ owner }, replays) => {
    const body = { channels: ['conversation'], delivery: { method: 'webhook', url: URL_OF_OURS } }
    return [
      { status: 403, body },
      { status: 403, body: { ...body, channels: ['memory'] } },
      replays({
        status: 403,
        body,
        inBetween: (first) =>
          owner.send('PATCH', `/v1/events/subscriptions/${first.body.subscription_id}`, {
            channels: [CANARY.channel],
            filters: { conversation_id: CANARY.filter },
          }),
      }),
    ]
  },
  updateSubscription: ({ subscriptionId, misspeltId }) => [
    { status: 200, params: { id: subscriptionId }, body: {} },
    { status: 200, params: { id: subscriptionId }, body: { status: 'paused' } },
    { status: 422, params: { id: subscriptionId }, body: { events: ['message.new'] } },
    { status: 422, params: { id: subscriptionId }, body: { channels: ['conversation'] } },
    { status: 422, params: { id: misspeltId }, body: { events: [] } },
    { status: 403, params: { id: subscriptionId }, body: { channels: ['memory'], events: [] } },
    { status: 403, params: { id: subscriptionId }, body: { delivery: { url: URL_OF_OURS } } },
    { status: 403, params: { id: subscriptionId }, body: { delivery: { headers: null } } },
    { status: 404, params: { id: NEVER }, body: {} },
  ],
  deleteSubscription: ({ subscriptionId }) => [
    { status: 200, params: { subscription_id: subscriptionId } },
    { status: 404, params: { subscription_id: subscriptionId } },
  ],
  testSubscription: ({ owner, subscriptionId }, replays) => [
    { status: 202, params: { id: subscriptionId } },
    replays({ status: 202, params: { id: subscriptionId } }),
    {
      status: 409,
      params: { id: subscriptionId },
      before: () => owner.send('PATCH', `/v1/events/subscriptions/${subscriptionId}`, { status: 'paused' }),
    },
  ],
  getSubscriptionSecret: ({ subscriptionId }) => [
    { status: 200, params: { id: subscriptionId } },
    { status: 404, params: { id: NEVER } },
  ],
  rotateSubscriptionSecret: ({ subscriptionId }, replays) => [
    { status: 200, params: { id: subscriptionId } },
    replays({ status: 200, params: { id: subscriptionId } }),
    { status: 404, params: { id: NEVER } },
  ],
  retryDelivery: ({ owner, deliveryId, subscriptionId }) => [
    { status: 202, params: { id: deliveryId } },
    { status: 404, params: { id: NEVER } },
    {
      status: 409,
      params: { id: deliveryId },
      before: () => owner.send('PATCH', `/v1/events/subscriptions/${subscriptionId}`, { status: 'paused' }),
    },
  ],
  recoverDeliveries: ({ subscriptionId }) => [
    { status: 202, params: { id: subscriptionId }, body: { since: '2026-01-01T00:00:00Z' } },
    {
      status: 422,
      params: { id: subscriptionId },
      body: { since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' },
    },
    { status: 404, params: { id: NEVER }, body: { since: '2026-01-01T00:00:00Z' } },
  ],
}
