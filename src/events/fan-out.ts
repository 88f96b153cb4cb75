import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { credentialMayReceive, mayReceive } from './access.ts'
import type { EventRow } from './event.ts'
import { matches } from './match.ts'
import { enqueueEvents } from './queue.ts'
import { recipientStatements, pushToSockets, type ConnectionRow, type Recipient } from './sockets/push.ts'
import { enqueueDeliveries, FIRST_RESEND_MS, WAITS_MS } from './webhooks/queue.ts'
import { boundsOf, interestOf, SUBSCRIPTION_MAY_RECEIVE, type SubscriptionRow } from './subscriptions/subscription.ts'

/** Events of one fan-out: their rows, 32 KiB each at most, are in memory at once. */
export const MAX_EVENTS = 50

/** Stamped at each attempt, so that resume finds an event by the last time that anybody may have been sent it. */
const CLAIM = `
  update events set fanned_out_at = ?2 where id in (select value from json_each(?1)) and settled_at is null
    and expires_at > ?2 returning *`

const LISTENING = `
  select e.id as event_id, s.id, s.channels, s.event_types, s.filters, s.scopes, s.permissions
  from json_each(?1) j cross join events e on e.id = j.value
  cross join subscriptions s on s.tenant_id = e.tenant_id and ${SUBSCRIPTION_MAY_RECEIVE('s', '?2')}
    and exists (select 1 from json_each(s.channels) c where c.value = e.channel)
  where ${mayReceive('e', 's.user_id')}`

const INSERT = `
  insert into deliveries (id, tenant_id, subscription_id, event_id, event_type, status, next_attempt_at, resend_at,
    created_at, expires_at)
  select j.value ->> 'id', s.tenant_id, s.id, e.id, e.type,
    case s.status when 'active' then 'pending' else 'waiting' end, ?2, ?3, ?2, min(?4, e.expires_at)
  from json_each(?1) j cross join subscriptions s on s.id = j.value ->> 'subscription_id' and s.deleted_at is null
    cross join events e on e.id = j.value ->> 'event_id'
  where true on conflict (subscription_id, event_id) do nothing returning id, status`

/** Long enough for a hub to come back from a restart. */
const SOON_SECONDS = 2

const SETTLE = `update events set settled_at = ?2, unreached = null where id in (select value from json_each(?1))`
const LEAVE = `
  update events set unreached = l.hubs from (select value ->> 'id' as id, value ->> 'hubs' as hubs from json_each(?1)) l
  where events.id = l.id`

/**
 * Spreads committed events: a delivery for each subscription that asked for one and may hear it, frames for open
 * sockets. Safe to repeat: a settled event is left alone, and a subscription has one delivery of an event. Where a hub
 * was not reached the next fan-out is for that hub alone: a moment later, and from then on when the sweep says.
 */
export async function fanOut(system: System, db: Database, ids: readonly string[]): Promise<void> {
  const now = system.now()
  const json = JSON.stringify(ids)
  // In one commit with the stamp: a connection whose presence is not read here finds the events in the history.
  const [events, listening, ...listeners] = await db.batch<[EventRow, Listening, Recipient, ConnectionRow]>([
    db.statement(CLAIM, json, now),
    db.statement(LISTENING, json, now),
    ...recipientStatements(db, json),
  ])
  if (events.length === 0) return
  const fresh = events.filter((event) => event.unreached === null)
  const [unreached] = await Promise.all([
    pushToSockets(system, events, ...listeners),
    makeDeliveries(system, db, fresh, listening),
  ])
  const done = events.filter(({ id }) => !unreached.has(id)).map(({ id }) => id)
  const left = [...unreached].map(([id, hubs]) => ({ id, hubs }))
  await db.batch([
    db.statement(SETTLE, JSON.stringify(done), system.now()),
    ...(left.length > 0 ? [db.statement(LEAVE, JSON.stringify(left))] : []),
  ])
  const again = fresh.filter(({ id }) => unreached.has(id))
  await enqueueEvents(
    system,
    again.map(({ id }) => ({ id })),
    SOON_SECONDS,
  )
}

type Listening = Pick<SubscriptionRow, 'id' | 'channels' | 'event_types' | 'filters' | 'scopes' | 'permissions'> & {
  event_id: string
}

async function makeDeliveries(
  system: System,
  db: Database,
  events: readonly EventRow[],
  listening: readonly Listening[],
): Promise<void> {
  const byId = new Map(events.map((event) => [event.id, event]))
  const now = system.now()
  const wanted = listening.filter((row) => {
    const event = byId.get(row.event_id)
    return event !== undefined && matches(interestOf(row), event) && credentialMayReceive(boundsOf(row), event)
  })
  if (wanted.length === 0) return
  const deliveries = wanted.map(({ id, event_id }) => ({ id: system.newId('dlv'), subscription_id: id, event_id }))
  const made = await db.write<{ id: string; status: string }>(
    INSERT,
    JSON.stringify(deliveries),
    now,
    now + FIRST_RESEND_MS,
    now + WAITS_MS,
  )
  await enqueueDeliveries(
    system,
    made.filter(({ status }) => status === 'pending').map(({ id }) => ({ id })),
  )
}
