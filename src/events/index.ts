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
  isGivenChannel,
  type Channel,
  type EventType,
} from './catalog.ts'
export { asyncApiDocument } from './asyncapi.ts'
export type { Message, Schema } from './asyncapi-messages.ts'
export { connectEndpoints } from './connect.ts'
export { presenceSweep } from './presence.ts'
export { deliveryJobs, eventJobs } from './jobs.ts'
export { eventSweeps } from './cron.ts'
export { eventEndpoints } from './endpoints.ts'
export type { Attempt, Delivery } from './delivery.ts'
export type { Subscription } from './subscription.ts'
