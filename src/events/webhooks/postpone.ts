import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import type { Claimed } from './claim.ts'
import { enqueueLater, FIRST_RESEND_MS } from './queue.ts'
import { NEXT_STATUS } from './record.ts'

const POSTPONE = `
  update deliveries set status = ${NEXT_STATUS}, next_attempt_at = ?2 + p.pause, resend_at = ?2 + p.pause + ?3,
    booked = ?4, lease_id = null, last_error = coalesce(?5, last_error)
  from (select value ->> 'id' as id, value ->> 'lease' as lease, value ->> 'pause' as pause from json_each(?1)) p
  where deliveries.id = p.id and lease_id = p.lease returning deliveries.id, status`

/**
 * Back in line without using up an attempt, each after its own pause, in milliseconds. `booked`: they hold places of
 * the hub. A subscription that was paused meanwhile keeps them waiting.
 */
export async function postpone<One extends Claimed>(
  system: System,
  db: Database,
  ones: readonly One[],
  pauseOf: (one: One) => number,
  { booked = false, reason = null }: { booked?: boolean; reason?: string | null },
): Promise<void> {
  if (ones.length === 0) return
  const pauses = new Map(ones.map((one) => [one.delivery_id, pauseOf(one)]))
  const rows = await db.write<{ id: string; status: string }>(
    POSTPONE,
    JSON.stringify(ones.map((one) => ({ id: one.delivery_id, lease: one.lease_id, pause: pauseOf(one) }))),
    system.now(),
    FIRST_RESEND_MS,
    Number(booked),
    reason,
  )
  const due = rows.filter(({ status }) => status === 'pending')
  await enqueueLater(
    system,
    due.map(({ id }) => ({ id, pauseMs: pauses.get(id) ?? 0 })),
  )
}
