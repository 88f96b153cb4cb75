import { and, eq, isNull } from 'drizzle-orm'
import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { query } from '../../core/database/query.ts'
import { sql } from '../../core/database/sql.ts'
import { OPEN, type DeliveryRow } from '../deliveries/delivery.ts'
import { notificationStatement } from '../notification.ts'
import { enqueueEvents } from '../queue.ts'
import type { SubscriptionRow } from '../subscriptions/subscription.ts'
import { subscriptions } from '../table.ts'
import type { OutboxRow } from '../outbox.ts'
import { DAY_MS } from '../../core/values/durations.ts'

/** A delivery that is not sent within this time expires (contract §5). */
export const WAITS_MS = 7 * DAY_MS
/** Of a commit, which has two statements for each subscription to notify about. */
const EXPIRY_ROWS = 50
const MAX_EXPIRY_ROUNDS = 40

const EXPIRED = `
  select d.id, d.subscription_id, s.tenant_id, s.user_id,
    s.expiry_notified_at is null and d.event_type not like 'typing.%' as notify
  from deliveries d join subscriptions s on s.id = d.subscription_id
  where d.status in ('waiting', 'pending', 'sending') and d.expires_at <= :now and (d.lease_id is null or d.lease_until <= :now)
  order by d.expires_at limit ${EXPIRY_ROWS}`

type ExpiredRow = Pick<DeliveryRow, 'id' | 'subscription_id'> &
  Pick<SubscriptionRow, 'tenant_id' | 'user_id'> & {
    /** 1: the owner has not been notified yet. */
    notify: number
  }

const markNotified = query((db, one: { id: string; now: number }) =>
  db
    .update(subscriptions)
    .set({ expiry_notified_at: one.now })
    .where(and(eq(subscriptions.id, one.id), isNull(subscriptions.expiry_notified_at))),
)

/**
 * Expires deliveries that were not sent within seven days. The owner of a subscription is notified once. Answers whether
 * there may be more.
 */
export async function expireDeliveries(system: System, db: Database): Promise<boolean> {
  for (let round = 0; round < MAX_EXPIRY_ROUNDS && !(round > 0 && db.isSpent); round += 1) {
    const rows = await db.all<ExpiredRow>(EXPIRED, { now: system.now() })
    if (rows.length > 0) await expire(system, db, rows)
    if (rows.length < EXPIRY_ROWS) return false
  }
  return true
}

async function expire(system: System, db: Database, rows: readonly ExpiredRow[]): Promise<void> {
  const toNotify = new Map(rows.filter((row) => row.notify === 1).map((row) => [row.subscription_id, row]))
  const results = await db.batch<OutboxRow[]>([
    db.statement(
      `update deliveries set status = 'expired', lease_id = null
       where id in (select value from json_each(:ids)) and ${OPEN}`,
      { ids: JSON.stringify(rows.map((row) => row.id)) },
    ),
    ...[...toNotify.values()].flatMap(({ subscription_id, tenant_id, user_id }) => [
      notificationStatement(
        { ...system, db },
        {
          tenantId: tenant_id,
          userId: user_id,
          code: 'deliveries.expired',
          message: 'Deliveries of a webhook were not sent within seven days. You can list and recover them.',
          about: { subscription_id },
        },
        sql(
          'exists (select 1 from subscriptions where id = :id and expiry_notified_at is null and deleted_at is null)',
          {
            id: subscription_id,
          },
        ),
      ),
      db.statement(markNotified, { id: subscription_id, now: system.now() }),
    ]),
  ])
  await enqueueEvents(system, db, results.slice(1).flat())
}
