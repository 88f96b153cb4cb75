import type { KeyPermission, Scope, System } from '../core/context.ts'
import type { Frame } from '../core/ports.ts'
import { credentialHears, mayHear } from './access.ts'
import { toMessageText, type EventRow } from './event.ts'
import { matches } from './match.ts'

export interface ListenerRow {
  event_id: string
  connection_id: string
  routing_id: string
  scopes: string
  permissions: string | null
  channels: string
}

/** Calls to hubs under way at once. */
const CALLS_AT_ONCE = 50

/**
 * Sends events to the open sockets of those who may hear them, `listeners`, one call a hub. They were read after the
 * events were stamped (`fanned_out_at`): a connection that is not among them finds the events in the history.
 * Throws where a hub was not reached, so that the fan-out tries again.
 */
export async function fanOutToSockets(
  system: System,
  events: readonly EventRow[],
  listeners: readonly ListenerRow[],
): Promise<void> {
  const byHub = framesByHub(events, listeners)
  const calls = [...byHub].map(
    ([routingId, frames]) =>
      () =>
        system.hub(routingId).push(frames),
  )
  const failures: unknown[] = []
  for (let at = 0; at < calls.length; at += CALLS_AT_ONCE) {
    const settled = await Promise.allSettled(calls.slice(at, at + CALLS_AT_ONCE).map((call) => call()))
    for (const one of settled) if (one.status === 'rejected') failures.push(one.reason)
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${calls.length} hubs not reached`)
}

/** Rows of `ListenerRow` for the events in ?1. Access is asked once a user, not once a socket. */
export const LISTENERS = `
  select e.id event_id, p.connection_id, p.routing_id, p.scopes, p.permissions, p.channels
  from json_each(?1) j cross join events e on e.id = j.value
  cross join users u on u.id in (select user_id from presence where tenant_id = e.tenant_id) and ${mayHear('e', 'u.id')}
  cross join presence p on p.tenant_id = e.tenant_id and p.user_id = u.id
  where exists (select 1 from json_each(p.channels) c where c.value = e.channel)`

/** Frames in the order in which the events were made; the credential behind each socket decides here, its roles decided in the read. */
function framesByHub(events: readonly EventRow[], listeners: readonly ListenerRow[]): Map<string, Frame[]> {
  const byEvent = Map.groupBy(listeners, (one) => one.event_id)
  const byHub = new Map<string, Frame[]>()
  for (const event of events.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const heard = (byEvent.get(event.id) ?? []).filter((one) => hears(one, event))
    const text = toMessageText(event)
    for (const [routingId, here] of Map.groupBy(heard, (one) => one.routing_id)) {
      const frames = byHub.get(routingId) ?? []
      frames.push({ id: event.id, text, connections: here.map((one) => one.connection_id) })
      byHub.set(routingId, frames)
    }
  }
  return byHub
}

function hears(row: ListenerRow, event: EventRow): boolean {
  const channels = JSON.parse(row.channels) as string[]
  const scopes = JSON.parse(row.scopes) as Scope[]
  const permissions = row.permissions === null ? null : (JSON.parse(row.permissions) as KeyPermission[])
  return matches({ channels, types: [], filters: {} }, event) && credentialHears({ scopes, permissions }, event)
}
