export {
  enqueueEvents,
  enqueueEventsJoined,
  eventStatement,
  memoryEventsStatement,
  unsettled,
  type OutboxRow,
  notificationStatement,
  regrantEventsStatement,
} from './outbox.ts'
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
export type { Message, Schema } from './asyncapi/messages.ts'
export { connectEndpoints } from './sockets/connect.ts'
export { presenceSweep } from './sockets/verify-presence.ts'
export { deliveryConsumer, eventConsumer } from './consumer.ts'
export { eventSweeps } from './sweeps.ts'
export { eventEndpoints } from './endpoints.ts'
export type { Attempt, Delivery } from './deliveries/delivery.ts'
export type { Subscription } from './subscriptions/subscription.ts'
