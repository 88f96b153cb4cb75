import type { System } from '../core/context.ts'
import type { Database, SqlValue } from '../core/db.ts'
import type { Sweep } from '../core/job.ts'
import { OPEN } from './delivery.ts'
import { enqueueDeliveries } from './delivery-queue.ts'
import { enqueueEvents, KEPT_MS, notificationStatement } from './outbox.ts'
import { disable } from './record.ts'
import { CREDENTIAL_LIVES } from './subscription.ts'

const BATCH = 500
const MINUTE_MS = 60_000

/** Committed and not spread: the message was lost, or its consumer was. Each time it waits twice as long, up to an hour. */
const RESEND_EVENTS = `
  update events set resends = resends + 1, resend_at = ?1 + min(${60 * MINUTE_MS}, ${MINUTE_MS} << min(resends, 6))
  where id in (select id from events where settled_at is null and resend_at <= ?1 and expires_at > ?1
    order by resend_at limit ${BATCH})
  returning id`

/** Due and not claimed, or claimed and never settled. */
const RESEND_DELIVERIES = `
  update deliveries set resend_at = ?1 + ${10 * MINUTE_MS}
  where id in (select id from deliveries where status in ('pending', 'sending') and resend_at <= ?1
    order by resend_at limit ${2 * BATCH})
  returning id`

const EXPIRED = `
  select d.id, d.subscription_id, d.event_type, s.tenant_id, s.user_id
  from deliveries d join subscriptions s on s.id = d.subscription_id
  where d.status in ('waiting', 'pending', 'sending') and d.expires_at <= ?1 and (d.lease_id is null or d.lease_until <= ?1)
  order by d.expires_at limit 100`

interface ExpiredRow {
  id: string
  subscription_id: string
  event_type: string
  tenant_id: string
  user_id: string
}

/** What was not sent within seven days expires; the owner of a subscription hears of it once. */
async function expireDeliveries(system: System, db: Database): Promise<number> {
  const rows = await db.all<ExpiredRow>(EXPIRED, system.now())
  if (rows.length === 0) return 0
  const owners = new Map(
    rows.filter((row) => !row.event_type.startsWith('typing.')).map((row) => [row.subscription_id, row]),
  )
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
const RETENTION_ROUNDS = 20

async function erase(system: System, db: Database): Promise<void> {
  for (const { table, over, keptMs } of RETENTION) {
    for (let round = 0; round < RETENTION_ROUNDS; round += 1) {
      const rows = await db.write(
        `delete from ${table} where id in (select id from ${table} where ${over} <= ? limit ${BATCH}) returning 1`,
        system.now() - keptMs,
      )
      if (rows.length < BATCH) break
    }
  }
}

const EXPIRY_ROUNDS = 10

/** Every sweep of events and webhooks: what got lost is sent again, what is over is put away. */
export const eventSweeps: Sweep[] = [
  everyShard('events.resend', 1, async (system, db) =>
    enqueueEvents(system, await idsOf(db, RESEND_EVENTS, system.now())),
  ),
  everyShard('deliveries.resend', 1, async (system, db) =>
    enqueueDeliveries(system, await idsOf(db, RESEND_DELIVERIES, system.now())),
  ),
  everyShard('deliveries.expire', 5, async (system, db) => {
    for (let round = 0; round < EXPIRY_ROUNDS && (await expireDeliveries(system, db)) > 0; round += 1);
  }),
  everyShard('subscriptions.credentials', 5, endCredentials),
  everyShard('events.retention', 60, erase),
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

const idsOf = (db: Database, sql: string, ...values: SqlValue[]): Promise<{ id: string }[]> => db.write(sql, ...values)
