import { FILTER_KEYS, type FilterKey } from './catalog.ts'
import type { EventRow } from './event.ts'

/** What a subscription or a socket asked for. */
export interface Interest {
  channels: readonly string[]
  /** Empty: all types of the channels. */
  types: readonly string[]
  filters: Readonly<Partial<Record<FilterKey, string>>>
}

/** What an event says about itself that a filter or an access rule may look at. */
export type EventFacts = Pick<
  EventRow,
  'type' | 'channel' | 'workspace_id' | 'project_id' | 'namespace' | 'scope' | 'conversation_id'
>

/**
 * Whether an event is one that was asked for: the one function for WebSocket, webhook and replay. It gives no access:
 * `mayReceive` and `credentialMayReceive` do. All filters must match, and an event without the fact does not (contract §5).
 */
export function matches({ channels, types, filters }: Interest, event: EventFacts): boolean {
  return (
    channels.includes(event.channel) &&
    (types.length === 0 || types.includes(event.type)) &&
    FILTER_KEYS.every((key) => filters[key] === undefined || filters[key] === event[key])
  )
}
