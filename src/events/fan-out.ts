import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { boundsOf, credentialMayReceive, mayReceive } from './access.ts'
import type { DeliveryRow } from './deliveries/delivery.ts'
import type { EventRow } from './event.ts'
import { matches } from './match.ts'
import { enqueueEvents } from './queue.ts'
import { pushToSockets, recipientStatements, type ConnectionRow, type Recipient } from './sockets/push.ts'
import { interestOf, SUBSCRIPTION_MAY_RECEIVE, type SubscriptionRow } from './subscriptions/subscription.ts'
import { enqueueDeliveries, FIRST_RESEND_MS } from './webhooks/queue.ts'
import { WAITS_MS } from './webhooks/expire.ts'

/** Events of one fan-out. Their rows, 32 KiB each at most, are in memory at the same time. */
export const MAX_EVENTS = 50

/** Each attempt sets `fanned_out_at`, so that resume finds an event by the last time that it may have been sent. */
const CLAIM = `
  update events set fanned_out_at = :now where id in (select value from json_each(:ids)) and settled_at is null
    and expires_at > :now returning *`

const CANDIDATES = `
  select e.id as event_id, s.id, s.channels, s.event_types, s.filters, s.scopes, s.permissions
  from json_each(:ids) j cross join events e on e.id = j.value
  cross join subscriptions s on s.tenant_id = e.tenant_id and ${SUBSCRIPTION_MAY_RECEIVE}
    and exists (select 1 from json_each(s.channels) c where c.value = e.channel)
  where ${mayReceive('e', 's.user_id')}`

const INSERT_DELIVERIES = `
  insert into deliveries (id, tenant_id, subscription_id, event_id, event_type, status, next_attempt_at, resend_at,
    created_at, expires_at)
  select j.value ->> 'id', s.tenant_id, s.id, e.id, e.type,
    case s.status when 'active' then 'pending' else 'waiting' end, :now, :resend_at, :now, min(:expires_at, e.expires_at)
  from json_each(:deliveries) j cross join subscriptions s on s.id = j.value ->> 'subscription_id' and s.deleted_at is null
    cross join events e on e.id = j.value ->> 'event_id'
  where true on conflict (subscription_id, event_id) do nothing returning id, status`

/** A hub that restarts is back after this time. */
const UNREACHED_DELAY_SECONDS = 2

const SETTLE = `update events set settled_at = :now, unreached = null where id in (select value from json_each(:ids))`
const SET_UNREACHED = `
  update events set unreached = u.hubs from (select value ->> 'id' as id, value ->> 'hubs' as hubs from json_each(:open)) u
  where events.id = u.id`

/**
 * Fans committed events out: a delivery for each subscription that asks for the event and may receive it, frames for open sockets.
 * Safe to repeat: a settled event is skipped, and a subscription has one delivery of an event. The next fan-out of an event is
 * for its unreached hubs alone; the first comes after two seconds, later ones with the sweep.
 */
export async function fanOut(system: System, db: Database, ids: readonly string[]): Promise<void> {
  const now = system.now()
  const given = JSON.stringify(ids)
  // The commit that sets `fanned_out_at` reads presence: a connection that it does not see finds the events in the history.
  const [events, candidates, recipients, connections] = await db.batch<[EventRow, Candidate, Recipient, ConnectionRow]>(
    [
      db.statement(CLAIM, { ids: given, now }),
      db.statement(CANDIDATES, { ids: given, now }),
      ...recipientStatements(db, given),
    ],
  )
  if (events.length === 0) return
  const first = events.filter((event) => event.unreached === null)
  const [unreached] = await Promise.all([
    pushToSockets(system, events, recipients, connections),
    makeDeliveries(system, db, first, candidates),
  ])
  const settled = events.filter(({ id }) => !unreached.has(id)).map(({ id }) => id)
  const open = [...unreached].map(([id, hubs]) => ({ id, hubs }))
  await db.batch([
    db.statement(SETTLE, { ids: JSON.stringify(settled), now: system.now() }),
    ...(open.length > 0 ? [db.statement(SET_UNREACHED, { open: JSON.stringify(open) })] : []),
  ])
  const again = first.filter(({ id }) => unreached.has(id)).map(({ id }) => ({ id }))
  await enqueueEvents(system, db, again, UNREACHED_DELAY_SECONDS)
}

/** A subscription whose owner may receive the event. Its interest and its credential are checked in code. */
type Candidate = Pick<SubscriptionRow, 'id' | 'channels' | 'event_types' | 'filters' | 'scopes' | 'permissions'> & {
  event_id: EventRow['id']
}

async function makeDeliveries(
  system: System,
  db: Database,
  events: readonly EventRow[],
  candidates: readonly Candidate[],
): Promise<void> {
  const byId = new Map(events.map((event) => [event.id, event]))
  const now = system.now()
  const receiving = candidates.filter((row) => {
    const event = byId.get(row.event_id)
    return event !== undefined && matches(interestOf(row), event) && credentialMayReceive(boundsOf(row), event)
  })
  if (receiving.length === 0) return
  const deliveries = receiving.map(({ id, event_id }) => ({ id: system.newId('dlv'), subscription_id: id, event_id }))
  const made = await db.write<Pick<DeliveryRow, 'id' | 'status'>>(INSERT_DELIVERIES, {
    deliveries: JSON.stringify(deliveries),
    now,
    resend_at: now + FIRST_RESEND_MS,
    expires_at: now + WAITS_MS,
  })
  await enqueueDeliveries(
    system,
    db,
    made.filter(({ status }) => status === 'pending'),
  )
}
