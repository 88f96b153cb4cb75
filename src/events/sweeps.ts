import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { eraseInPages } from '../core/database/erase-in-pages.ts'
import type { Sweep } from '../core/queue.ts'
import { OPEN } from './deliveries/delivery.ts'
import { enqueueDeliveries } from './webhooks/queue.ts'
import { enqueueEvents, KEPT_MS, notificationStatement } from './outbox.ts'
import { disable } from './webhooks/disable.ts'
import { CREDENTIAL_LIVES } from './subscriptions/subscription.ts'

const MINUTE_MS = 60_000
/** Rows of one statement that sends again: 10,000 a minute, so that an hour's backlog is gone within few. */
const RESENT_AT_ONCE = 1_000
const RESEND_ROUNDS = 10

/** Committed and not spread: the message was lost, or its consumer was. Each time it waits twice as long, up to an hour. */
const RESEND_EVENTS = `
  update events set resends = resends + 1, resend_at = ?1 + min(${60 * MINUTE_MS}, ${MINUTE_MS} << min(resends, 6))
  where id in (select id from events where settled_at is null and resend_at <= ?1 and expires_at > ?1
    order by resend_at limit ${RESENT_AT_ONCE})
  returning id`

/** Due and not claimed, or claimed and never settled. */
const RESEND_DELIVERIES = `
  update deliveries set resend_at = ?1 + ${10 * MINUTE_MS}
  where id in (select id from deliveries where status in ('pending', 'sending') and resend_at <= ?1
    order by resend_at limit ${RESENT_AT_ONCE})
  returning id`

const EXPIRED = `
  select d.id, d.subscription_id, s.tenant_id, s.user_id,
    s.expiry_notified_at is null and d.event_type not like 'typing.%' as untold
  from deliveries d join subscriptions s on s.id = d.subscription_id
  where d.status in ('waiting', 'pending', 'sending') and d.expires_at <= ?1 and (d.lease_id is null or d.lease_until <= ?1)
  order by d.expires_at limit 100`

interface ExpiredRow {
  id: string
  subscription_id: string
  tenant_id: string
  user_id: string
  /** Its owner has to hear of it. */
  untold: number
}

/** What was not sent within seven days expires; the owner of a subscription hears of it once. */
async function expireDeliveries(system: System, db: Database): Promise<number> {
  const rows = await db.all<ExpiredRow>(EXPIRED, system.now())
  if (rows.length === 0) return 0
  const owners = new Map(rows.filter((row) => row.untold === 1).map((row) => [row.subscription_id, row]))
  const results = await db.batch<{ id: string }[]>([
    db.statement(
      `update deliveries set status = 'expired', lease_id = null
       where id in (select value from json_each(?)) and ${OPEN}`,
      JSON.stringify(rows.map((row) => row.id)),
    ),
    ...[...owners.values()].flatMap(({ subscription_id, tenant_id, user_id }) => [
      notificationStatement(
        { ...system, db },
        {
          tenantId: tenant_id,
          userId: user_id,
          code: 'deliveries.expired',
          message: 'Deliveries of a webhook were not sent within seven days. They are listed and can be recovered.',
          about: { subscription_id },
        },
        'exists (select 1 from subscriptions where id = ? and expiry_notified_at is null and deleted_at is null)',
        subscription_id,
      ),
      db.statement(
        'update subscriptions set expiry_notified_at = ? where id = ? and expiry_notified_at is null',
        system.now(),
        subscription_id,
      ),
    ]),
  ])
  await enqueueEvents(system, results.slice(1).flat())
  return rows.length
}

const HAND_ON = `
  update subscriptions set credential_id = (select rotated_to from api_keys k where k.id = credential_id)
  where credential_kind = 'key' and deleted_at is null
    and exists (select 1 from api_keys k where k.id = credential_id and k.rotated_to is not null)
  returning 1`

/**
 * A rotated key hands its subscriptions on to its successor; those of an ended credential are disabled, those of an
 * erased user go with what they kept sealed.
 */
async function endCredentials(system: System, db: Database): Promise<void> {
  await db.write(
    `update subscriptions set deleted_at = ?, url = '', headers = null, secret = '', previous_secret = null
     where deleted_at is null and not exists (select 1 from users u where u.id = user_id and u.deleted_at is null)`,
    system.now(),
  )
  // Again as long as a successor was rotated too.
  while ((await db.write(HAND_ON)).length > 0);
  const ended = await db.all<{ subscription_id: string; tenant_id: string; user_id: string }>(
    `select s.id as subscription_id, s.tenant_id, s.user_id from subscriptions s
     where s.deleted_at is null and s.disabled_reason is not 'credential_ended' and not ${CREDENTIAL_LIVES('s', '?1')} limit 100`,
    system.now(),
  )
  for (const one of ended) {
    const [notices] = await db.batch<[{ id: string }]>(disable(system, db, one, 'credential_ended'))
    await enqueueEvents(system, notices)
  }
}

const RETENTION = [
  { table: 'events', over: 'expires_at', keptMs: 0 },
  { table: 'delivery_attempts', over: 'started_at', keptMs: KEPT_MS },
  { table: 'deliveries', over: 'created_at', keptMs: KEPT_MS },
  { table: 'subscriptions', over: 'deleted_at', keptMs: KEPT_MS },
]
/** A hundred thousand rows of each table in five minutes, above what the service commits in that time. */
async function erase(system: System, db: Database): Promise<void> {
  for (const { table, over, keptMs } of RETENTION) await eraseInPages(db, table, `${over} <= ?`, system.now() - keptMs)
}

const EXPIRY_ROUNDS = 20

/** Every sweep of events and webhooks: what got lost is sent again, what is over is put away. */
export const eventSweeps: Sweep[] = [
  everyShard('events.resend', 1, (system, db) =>
    resend(system, db, RESEND_EVENTS, (rows) => enqueueEvents(system, rows)),
  ),
  everyShard('deliveries.resend', 1, (system, db) =>
    resend(system, db, RESEND_DELIVERIES, (rows) => enqueueDeliveries(system, rows)),
  ),
  everyShard('deliveries.expire', 5, async (system, db) => {
    for (let round = 0; round < EXPIRY_ROUNDS && (await expireDeliveries(system, db)) > 0; round += 1);
  }),
  everyShard('subscriptions.credentials', 5, endCredentials),
  everyShard('events.retention', 5, erase),
]

function everyShard(name: string, everyMinutes: number, run: (system: System, db: Database) => Promise<void>): Sweep {
  return {
    name,
    everyMinutes,
    run: async (system) => {
      for (const shard of system.shards) await run(system, system.database(shard))
    },
  }
}

async function resend(
  system: System,
  db: Database,
  claim: string,
  enqueue: (rows: { id: string }[]) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < RESEND_ROUNDS; round += 1) {
    const rows = await db.write<{ id: string }>(claim, system.now())
    await enqueue(rows)
    if (rows.length < RESENT_AT_ONCE) return
  }
}
