import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { mayReceive } from '../access.ts'
import type { DeliveryRow } from '../deliveries/delivery.ts'
import type { EventRow } from '../event.ts'
import { CREDENTIAL_LIVES, type SubscriptionRow } from '../subscriptions/subscription.ts'
import { MINUTE_MS } from '../../core/values/durations.ts'

/** After this time a consumer counts as dead. It is longer than the hub, the resolver and the 15 s of the receiver together. */
export const LEASE_MS = MINUTE_MS
/** pending → sending, by compare and set. An expired lease can be claimed again. */
const CLAIM = `
  update deliveries set status = 'sending', lease_id = :lease, lease_until = :now + ${LEASE_MS}, resend_at = :now + ${2 * LEASE_MS}
  where id in (select value from json_each(:ids)) and next_attempt_at <= :now and expires_at > :now
    and (status = 'pending' or (status = 'sending' and lease_until <= :now))
    and exists (select 1 from subscriptions s where s.id = subscription_id and s.status = 'active' and s.deleted_at is null)`

const READ = `
  select d.id as delivery_id, d.attempts, d.created_at as delivery_created_at, d.lease_id, d.booked as reserved,
    s.id as subscription_id, s.tenant_id, s.user_id, s.routing_id, s.url, s.headers, s.secret, s.previous_secret,
    s.previous_until, s.scopes, s.permissions, s.failing_since, ${CREDENTIAL_LIVES} as credential_lives,
    ${mayReceive('e', 's.user_id')} as may_receive,
    json_object('id', e.id, 'type', e.type, 'channel', e.channel, 'workspace_id', e.workspace_id, 'project_id',
      e.project_id, 'namespace', e.namespace, 'scope', e.scope, 'conversation_id', e.conversation_id,
      'created_at', e.created_at) as event, e.data
  from json_each(:ids) j cross join deliveries d on d.id = j.value and d.lease_id = :lease
  cross join subscriptions s on s.id = d.subscription_id cross join events e on e.id = d.event_id`

type EventFields =
  | 'id'
  | 'type'
  | 'channel'
  | 'workspace_id'
  | 'project_id'
  | 'namespace'
  | 'scope'
  | 'conversation_id'
  | 'created_at'
type SubscriptionFields =
  | 'tenant_id'
  | 'user_id'
  | 'routing_id'
  | 'url'
  | 'headers'
  | 'secret'
  | 'previous_secret'
  | 'previous_until'
  | 'scopes'
  | 'permissions'
  | 'failing_since'

interface ClaimedFields extends Pick<SubscriptionRow, SubscriptionFields>, Pick<DeliveryRow, 'attempts'> {
  delivery_id: DeliveryRow['id']
  delivery_created_at: DeliveryRow['created_at']
  lease_id: NonNullable<DeliveryRow['lease_id']>
  /** 1: the delivery holds a reservation of the hub. */
  reserved: DeliveryRow['booked']
  subscription_id: SubscriptionRow['id']
  credential_lives: number
  may_receive: number
}

/** A delivery under a lease, with its subscription and its event. */
export interface ClaimedDelivery extends ClaimedFields {
  event: Pick<EventRow, EventFields | 'data'>
}

/** `event` is JSON of the event without its data, which can be large and is JSON already. */
type ClaimedRow = ClaimedFields & Pick<EventRow, 'data'> & { event: string }

/** Claims those of the deliveries that are due and not leased. */
export async function claim(system: System, db: Database, ids: readonly string[]): Promise<ClaimedDelivery[]> {
  const params = { ids: JSON.stringify([...new Set(ids)]), lease: system.newId('req'), now: system.now() }
  const [, rows] = await db.batch<[never, ClaimedRow]>([db.statement(CLAIM, params), db.statement(READ, params)])
  return rows.map(({ event, data, ...fields }) => ({
    ...fields,
    event: { ...(JSON.parse(event) as Pick<EventRow, EventFields>), data },
  }))
}
