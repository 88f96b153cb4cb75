import { asyncApiEndpoint } from './asyncapi/asyncapi.ts'
import { listAttemptsEndpoint } from './deliveries/attempts.ts'
import { getDeliveryEndpoint } from './deliveries/get.ts'
import { listDeliveriesEndpoint } from './deliveries/list.ts'
import { deliveryRequestEndpoint } from './deliveries/request.ts'
import { recoverDeliveriesEndpoint } from './deliveries/recover.ts'
import { retryDeliveryEndpoint } from './deliveries/retry.ts'
import { deliverySeriesEndpoint } from './deliveries/series.ts'
import { publishEndpoint } from './publish.ts'
import { createSubscriptionEndpoint } from './subscriptions/create.ts'
import { deleteSubscriptionEndpoint } from './subscriptions/delete.ts'
import { getSubscriptionEndpoint } from './subscriptions/get.ts'
import { listSubscriptionsEndpoint } from './subscriptions/list.ts'
import { revealSecretEndpoint } from './subscriptions/reveal-secret.ts'
import { rotateSecretEndpoint } from './subscriptions/rotate-secret.ts'
import { testSubscriptionEndpoint } from './subscriptions/test-event.ts'
import { updateSubscriptionEndpoint } from './subscriptions/update.ts'

export const eventEndpoints = [
  publishEndpoint,
  createSubscriptionEndpoint,
  listSubscriptionsEndpoint,
  getSubscriptionEndpoint,
  updateSubscriptionEndpoint,
  deleteSubscriptionEndpoint,
  revealSecretEndpoint,
  rotateSecretEndpoint,
  testSubscriptionEndpoint,
  listDeliveriesEndpoint,
  getDeliveryEndpoint,
  listAttemptsEndpoint,
  deliveryRequestEndpoint,
  retryDeliveryEndpoint,
  recoverDeliveriesEndpoint,
  deliverySeriesEndpoint,
  asyncApiEndpoint,
]
