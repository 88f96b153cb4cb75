import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { mayReceive } from '../access.ts'
import { CREDENTIAL_LIVES, type SubscriptionRow } from '../subscriptions/subscription.ts'

/** A consumer that holds a delivery for longer is taken for dead. Longer than the hub, the names and 15 s together. */
export const LEASE_MS = 60_000
/** pending → sending, by compare and set; a lease that is over can be taken. Not due, held or settled: left alone. */
const CLAIM = `
  update deliveries set status = 'sending', lease_id = ?2, lease_until = ?3 + ${LEASE_MS}, resend_at = ?3 + ${2 * LEASE_MS}
  where id in (select value from json_each(?1)) and next_attempt_at <= ?3 and expires_at > ?3
    and (status = 'pending' or (status = 'sending' and lease_until <= ?3))
    and exists (select 1 from subscriptions s where s.id = subscription_id and s.status = 'active' and s.deleted_at is null)`

const READ = `
  select d.id as delivery_id, d.attempts, d.created_at as delivery_created_at, d.lease_id, d.booked, s.id as subscription_id,
    s.tenant_id, s.user_id, s.routing_id, s.url, s.headers, s.secret, s.previous_secret, s.previous_until, s.scopes,
    s.permissions, s.failing_since, ${CREDENTIAL_LIVES('s', '?3')} as credential_lives, ${mayReceive('e', 's.user_id')} as may_hear,
    json_object('id', e.id, 'type', e.type, 'channel', e.channel, 'workspace_id', e.workspace_id, 'project_id',
      e.project_id, 'namespace', e.namespace, 'scope', e.scope, 'conversation_id', e.conversation_id,
      'created_at', e.created_at) as event, e.data
  from json_each(?1) j cross join deliveries d on d.id = j.value and d.lease_id = ?2
  cross join subscriptions s on s.id = d.subscription_id cross join events e on e.id = d.event_id`

/** A delivery in hand, with all that an attempt needs. */
export interface Claimed extends Pick<
  SubscriptionRow,
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
> {
  delivery_id: string
  subscription_id: string
  attempts: number
  delivery_created_at: number
  lease_id: string
  booked: number
  credential_lives: number
  may_hear: number
  /** JSON of the event's row, without its data. */
  event: string
  data: string
}

/** Takes those of the deliveries that are due and that nobody else holds. */
export async function claim(system: System, db: Database, ids: readonly string[]): Promise<Claimed[]> {
  const values = [JSON.stringify([...new Set(ids)]), system.newId('req'), system.now()] as const
  const [, claimed] = await db.batch<[never, Claimed]>([db.statement(CLAIM, ...values), db.statement(READ, ...values)])
  return claimed
}
