import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import type { DeliveryRow } from '../deliveries/delivery.ts'
import type { ClaimedDelivery } from './claim.ts'
import { enqueueLater, FIRST_RESEND_MS } from './queue.ts'
import { NEXT_STATUS } from './record.ts'

const POSTPONE = `
  update deliveries set status = ${NEXT_STATUS}, next_attempt_at = :now + p.pause,
    resend_at = :now + p.pause + ${FIRST_RESEND_MS}, booked = :reserved, lease_id = null,
    last_error = coalesce(:reason, last_error)
  from (select value ->> 'id' as id, value ->> 'lease' as lease, value ->> 'pause' as pause from json_each(:deliveries)) p
  where deliveries.id = p.id and lease_id = p.lease returning deliveries.id, status`

/**
 * Schedules deliveries again without using an attempt, each after its own pause, in milliseconds.
 * `reserved` says whether they hold reservations of the hub. A subscription that was paused since keeps them waiting.
 */
export async function postpone(
  system: System,
  db: Database,
  deliveries: readonly ClaimedDelivery[],
  pauseOf: (delivery: ClaimedDelivery) => number,
  { reserved = false, reason = null }: { reserved?: boolean; reason?: string | null },
): Promise<void> {
  if (deliveries.length === 0) return
  const pauses = new Map(deliveries.map((one) => [one.delivery_id, pauseOf(one)]))
  const rows = await db.write<Pick<DeliveryRow, 'id' | 'status'>>(POSTPONE, {
    deliveries: JSON.stringify(
      deliveries.map((one) => ({ id: one.delivery_id, lease: one.lease_id, pause: pauseOf(one) })),
    ),
    now: system.now(),
    reserved: Number(reserved),
    reason,
  })
  const pending = rows.filter(({ status }) => status === 'pending')
  await enqueueLater(
    system,
    db,
    pending.map(({ id }) => ({ id, pauseMs: pauses.get(id) ?? 0 })),
  )
}
