import type { components } from './api.ts'

type EventData = components['schemas']['EventData']
type EventChannel = components['schemas']['EventChannel']

/** The types of the catalogue. */
export type EventType = keyof EventData

/** The message of every event (contract §5). Your own types are `EventMessage<'order.shipped', Order>`. */
export interface EventMessage<Type extends string = string, Data = Record<string, unknown>, Channel = string> {
  id: string
  type: Type
  channel: Channel
  timestamp: string
  data: Data
}

/** The events of the catalogue, told apart by `type`. Ignore types that you do not know: a version may add some. */
export type RecollectEvent = { [T in EventType]: EventMessage<T, EventData[T], EventChannel[T]> }[EventType]

/** The body of a webhook. `events` has one event. */
export interface Webhook<Event = RecollectEvent> {
  subscription_id: string
  events: Event[]
  timestamp: string
}
