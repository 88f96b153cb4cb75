import type { System } from '../../core/context.ts'
import { shardSweep, type Sweep } from '../../core/queue.ts'
import { resend, RESEND_ROWS } from '../resend.ts'
import { expireDeliveries } from './expire.ts'
import { enqueueDeliveries } from './queue.ts'
import { MINUTE_MS } from '../../core/values/durations.ts'

/** A delivery whose message was sent again has this long to be claimed. The local queue forgets its messages when it dies, and only then. */
const NEXT_RESEND_MS = { production: 10 * MINUTE_MS, local: MINUTE_MS } as const

/** Deliveries that are due and not claimed, or that were claimed and never settled. */
const resendDeliveries = (environment: keyof typeof NEXT_RESEND_MS): string => `
  update deliveries set resend_at = :now + ${NEXT_RESEND_MS[environment]}
  where id in (select id from deliveries where status in ('pending', 'sending') and resend_at <= :now
    order by resend_at limit ${RESEND_ROWS})
  returning id`

/** The local queue has lost nothing while it has messages. Each minute would add those of a backlog once more. */
async function stillHasMessages(system: System): Promise<boolean> {
  return system.config.environment === 'local' && (await system.queueBacklogs()).delivery.messages > 0
}

export const deliverySweeps: Sweep[] = [
  shardSweep('deliveries.resend', 1, async (system, db) => {
    if (await stillHasMessages(system)) return false
    const claim = resendDeliveries(system.config.environment)
    return resend(system, db, claim, (rows) => enqueueDeliveries(system, db, rows))
  }),
  shardSweep('deliveries.expire', 5, expireDeliveries),
]
