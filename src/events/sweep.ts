import type { System } from '../core/context.ts'
import { eraseInPages } from '../core/database/erase-in-pages.ts'
import type { Database } from '../core/database/database.ts'
import { sql } from '../core/database/sql.ts'
import { anyLeftMore, shardSweep, type Sweep } from '../core/queue.ts'
import { KEPT_MS } from './outbox.ts'
import { enqueueEvents } from './queue.ts'
import { resend, RESEND_ROWS } from './resend.ts'
import { presenceSweep } from './sockets/sweep.ts'
import { credentialSweep } from './subscriptions/sweep.ts'
import { deliverySweeps } from './webhooks/sweep.ts'
import { HOUR_MS, MINUTE_MS } from '../core/values/durations.ts'

const LONGEST_RESEND_MS = HOUR_MS

/** Events that were committed and not settled. The wait doubles with each time. */
const RESEND_EVENTS = `
  update events set resends = resends + 1, resend_at = :now + min(${LONGEST_RESEND_MS}, ${MINUTE_MS} << min(resends, 6))
  where id in (select id from events where settled_at is null and resend_at <= :now and expires_at > :now
    order by resend_at limit ${RESEND_ROWS})
  returning id`

const RETENTION = [
  { table: 'events', column: 'expires_at', keptMs: 0 },
  { table: 'delivery_attempts', column: 'started_at', keptMs: KEPT_MS },
  { table: 'deliveries', column: 'created_at', keptMs: KEPT_MS },
  { table: 'subscriptions', column: 'deleted_at', keptMs: KEPT_MS },
]

/** A run erases up to 100,000 rows of each table. */
const erase = (system: System, db: Database): Promise<boolean> =>
  anyLeftMore(RETENTION, ({ table, column, keptMs }) =>
    eraseInPages(db, table, sql(`${column} <= :kept_since`, { kept_since: system.now() - keptMs })),
  )

/** Every sweep of events, webhooks, subscriptions and sockets. */
export const eventSweeps: Sweep[] = [
  shardSweep('events.resend', 1, (system, db) =>
    resend(system, db, RESEND_EVENTS, (rows) => enqueueEvents(system, db, rows)),
  ),
  ...deliverySweeps,
  credentialSweep,
  shardSweep('events.retention', 5, erase),
  presenceSweep,
]
