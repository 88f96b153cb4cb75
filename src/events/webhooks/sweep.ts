import { shardSweep, type Sweep } from '../../core/queue.ts'
import { resend, RESEND_ROWS } from '../resend.ts'
import { expireDeliveries } from './expire.ts'
import { enqueueDeliveries } from './queue.ts'
import { MINUTE_MS } from '../../core/values/durations.ts'

/** A delivery whose message was sent again has this long to be claimed. The local queue forgets its messages when it dies. */
const NEXT_RESEND_MS = { production: 10 * MINUTE_MS, local: MINUTE_MS } as const

/** Deliveries that are due and not claimed, or that were claimed and never settled. */
const resendDeliveries = (environment: keyof typeof NEXT_RESEND_MS): string => `
  update deliveries set resend_at = :now + ${NEXT_RESEND_MS[environment]}
  where id in (select id from deliveries where status in ('pending', 'sending') and resend_at <= :now
    order by resend_at limit ${RESEND_ROWS})
  returning id`

export const deliverySweeps: Sweep[] = [
  shardSweep('deliveries.resend', 1, (system, db) =>
    resend(system, db, resendDeliveries(system.config.environment), (rows) => enqueueDeliveries(system, db, rows)),
  ),
  shardSweep('deliveries.expire', 5, expireDeliveries),
]
