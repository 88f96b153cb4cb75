import type { System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import type { Frame } from '../../core/ports.ts'
import { portions } from '../../core/values/portions.ts'
import type { presence } from '../../hub/table.ts'
import { boundsOf, credentialMayReceive, mayReceive, type CredentialBounds } from '../access.ts'
import { toMessageText, type EventRow } from '../event.ts'
import { matches } from '../match.ts'

/** Calls to hubs under way at once. */
const CALLS_AT_ONCE = 50

/** The users with an open socket who may receive one of the events `:ids`. Access is checked once a user. */
const FROM_RECIPIENTS = `
  from json_each(:ids) j cross join events e on e.id = j.value
  cross join users u on u.id in (
    select value from json_each(e.targets)
    union all select user_id from presence where e.targets is null and tenant_id = e.tenant_id)
  where exists (select 1 from presence p where p.tenant_id = e.tenant_id and p.user_id = u.id) and ${mayReceive('e', 'u.id')}`

const RECIPIENTS = `select e.id as event_id, u.id as user_id ${FROM_RECIPIENTS}`

const CONNECTIONS = `
  select p.user_id, p.connection_id, p.routing_id, p.scopes, p.permissions, p.channels
  from (select distinct e.tenant_id, u.id as user_id ${FROM_RECIPIENTS}) r
  cross join presence p on p.tenant_id = r.tenant_id and p.user_id = r.user_id
  where exists (select 1 from json_each(p.channels) c where c.value in (
    select e.channel from json_each(:ids) i cross join events e on e.id = i.value))`

export interface Recipient {
  event_id: string
  user_id: string
}

export type ConnectionRow = Pick<
  typeof presence.$inferSelect,
  'user_id' | 'connection_id' | 'routing_id' | 'scopes' | 'permissions' | 'channels'
>

/** Two reads, of `Recipient` and of `ConnectionRow`. They are separate, so that a socket is read once and not once an event. */
export const recipientStatements = (db: Database, ids: string): [Statement, Statement] => [
  db.statement(RECIPIENTS, { ids }),
  db.statement(CONNECTIONS, { ids }),
]

/**
 * Sends events to the open sockets of their recipients, in one call a hub. Answers the routing ids of the unreached hubs, by
 * event.
 */
export async function pushToSockets(
  system: System,
  events: readonly EventRow[],
  recipients: readonly Recipient[],
  connections: readonly ConnectionRow[],
): Promise<Map<string, string[]>> {
  const hubs = [...framesByHub(events, recipients, connections.map(toConnection))]
  const unreached = new Map<string, string[]>()
  const push = async ([routingId, frames]: [string, Frame[]]): Promise<void> => {
    try {
      await system.hub(routingId).push(frames)
    } catch (error) {
      system.log.error({ event: 'events.hub_not_reached', frames: frames.length }, error)
      for (const { id } of frames) unreached.set(id, [...(unreached.get(id) ?? []), routingId])
    }
  }
  for (const some of portions(hubs, CALLS_AT_ONCE)) await Promise.all(some.map(push))
  return unreached
}

interface Connection extends CredentialBounds {
  id: string
  userId: string
  routingId: string
  channels: readonly string[]
}

const toConnection = (row: ConnectionRow): Connection => ({
  id: row.connection_id,
  userId: row.user_id,
  routingId: row.routing_id,
  channels: JSON.parse(row.channels) as string[],
  ...boundsOf(row),
})

/** Frames in the order in which the events were made. SQL has checked the roles; channels and credential are checked here. */
function framesByHub(
  events: readonly EventRow[],
  recipients: readonly Recipient[],
  connections: readonly Connection[],
): Map<string, Frame[]> {
  const recipientsOf = Map.groupBy(recipients, (one) => one.event_id)
  const connectionsOf = Map.groupBy(connections, (one) => one.userId)
  const byHub = new Map<string, Frame[]>()
  for (const event of events.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const text = toMessageText(event)
    const only = event.unreached === null ? null : (JSON.parse(event.unreached) as string[])
    for (const { user_id } of recipientsOf.get(event.id) ?? []) {
      const receiving = (connectionsOf.get(user_id) ?? []).filter((one) => connectionReceives(one, event))
      for (const [routingId, own] of Map.groupBy(receiving, (one) => one.routingId)) {
        if (only && !only.includes(routingId)) continue
        const frames = byHub.get(routingId) ?? []
        frames.push({ id: event.id, text, connections: own.map((one) => one.id) })
        byHub.set(routingId, frames)
      }
    }
  }
  return byHub
}

const connectionReceives = (connection: Connection, event: EventRow): boolean =>
  matches({ channels: connection.channels, types: [], filters: {} }, event) && credentialMayReceive(connection, event)
