export { KEPT_MS, unsettled, type OutboxRow, eventStatement } from './outbox.ts'
export { memoryEventsStatement, eventAccessStatement } from './memory-events.ts'
export { emptyEvents, holdsNoEventOf, type Erased } from './erasure.ts'
export { countedBy, emptyStatements, eventsNaming, eventsOfItems, namesOfEvents, portionOf } from './erased-events.ts'
export { notification } from './notification.ts'
export { enqueueEvents, enqueueEventsCoalesced } from './queue.ts'
export {
  CATALOG,
  CHANNELS,
  channelOf,
  EVENT_TYPES,
  FILTER_KEYS,
  isBuiltInChannel,
  type Channel,
  type EventType,
} from './catalog.ts'
export { asyncApiDocument } from './asyncapi/asyncapi.ts'
export { eventMessages, type Message, type Schema } from './asyncapi/messages.ts'
export { connectEndpoints } from './sockets/connect.ts'
export { eventConsumer } from './consumer.ts'
export { deliveryConsumer } from './webhooks/consumer.ts'
export { eventSweeps } from './sweep.ts'
export { eventEndpoints } from './endpoints.ts'
export type { Attempt, Delivery } from './deliveries/delivery.ts'
export type { DeliveryRequest } from './deliveries/request.ts'
export { MAX_DELIVERIES, MAX_SUBSCRIPTIONS, type DeliverySeries } from './deliveries/series.ts'
export { MAX_ATTEMPTS } from './webhooks/retry-schedule.ts'
export type { PublishedEvent } from './publish.ts'
export { MAX_COUNTED_DELIVERIES } from './subscriptions/health.ts'
export type { SubscriptionPage } from './subscriptions/list.ts'
export type { SigningSecret } from './subscriptions/reveal-secret.ts'
export type { Subscription } from './subscriptions/subscription.ts'
