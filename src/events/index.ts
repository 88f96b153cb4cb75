export { channelOf, isEphemeral, type EventType } from './catalog.ts'
export { toMessage, toMessageText, type EventMessage, type EventRow } from './event.ts'
export { enqueueEvents, eventStatement, memoryEventsStatement, notificationStatement, type NewEvent } from './outbox.ts'
