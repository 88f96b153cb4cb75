import { inNormalForm } from '../core/values/normal-form.ts'
import { FILTER_KEYS, type FilterKey } from './catalog.ts'
import type { EventRow } from './event.ts'

/** The events that a subscription or a socket asks for. */
export interface Interest {
  channels: readonly string[]
  /** Empty: all types on the channels. */
  types: readonly string[]
  filters: Readonly<Partial<Record<FilterKey, string>>>
}

/** The columns of an event that filters and access rules read. */
export type EventFacts = Pick<
  EventRow,
  'type' | 'channel' | 'workspace_id' | 'project_id' | 'namespace' | 'scope' | 'conversation_id'
>

/**
 * Whether an event was asked for, in one function for WebSocket, webhook and resume. Access is decided by `mayReceive` and
 * `credentialMayReceive`. All filters must match; an event without the column does not match (contract §5).
 */
export function matches({ channels, types, filters }: Interest, event: EventFacts): boolean {
  return (
    channels.includes(event.channel) &&
    (types.length === 0 || types.includes(event.type)) &&
    FILTER_KEYS.every((key) => filters[key] === undefined || isSameName(filters[key], event[key]))
  )
}

/** Of the names that filters compare. */
export const MAX_EVENT_FILTER_CHARACTERS = 128
const normal = inNormalForm(MAX_EVENT_FILTER_CHARACTERS)

/** What is published, and what was stored before, keeps the form in which it came. */
const isSameName = (asked: string, name: string | null): boolean =>
  asked === name || (name !== null && normal(asked) === normal(name))
