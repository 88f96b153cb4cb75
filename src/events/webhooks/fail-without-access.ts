import { and, eq } from 'drizzle-orm'
import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { query } from '../../core/database/query.ts'
import { enqueueEvents } from '../queue.ts'
import { deliveries } from '../table.ts'
import type { ClaimedDelivery } from './claim.ts'
import { disable } from './disable.ts'
import type { OutboxRow } from '../outbox.ts'

const failDelivery = query((db, one: { id: string; lease: string; reason: string }) =>
  db
    .update(deliveries)
    .set({ status: 'failed', lease_id: null, last_error: one.reason })
    .where(and(eq(deliveries.id, one.id), eq(deliveries.lease_id, one.lease))),
)

/**
 * Fails a delivery that its owner may no longer receive. It is not sent, now or later.
 * Where the credential of the subscription has ended, the subscription is disabled in the same commit.
 */
export async function failWithoutAccess(system: System, db: Database, delivery: ClaimedDelivery): Promise<void> {
  const { credential_lives, delivery_id: id, lease_id: lease } = delivery
  const reason = credential_lives ? 'access_lost' : 'credential_ended'
  const [, notifications = []] = await db.batch<OutboxRow[]>([
    db.statement(failDelivery, { id, lease, reason }),
    ...(reason === 'credential_ended' ? disable(system, db, delivery, reason) : []),
  ])
  await enqueueEvents(system, db, notifications)
}
