import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import type { Claimed } from './claim.ts'
import { disable } from './disable.ts'
import { enqueueEvents } from '../queue.ts'

/** The owner may not hear this event any more: it is not sent, now or later. */
export const withdraw = async (db: Database, one: Claimed): Promise<void> => {
  await db.write(
    `update deliveries set status = 'failed', lease_id = null, last_error = 'access_lost' where id = ? and lease_id = ?`,
    one.delivery_id,
    one.lease_id,
  )
}

/** The credential that made the subscription has ended: the subscription goes with it. */
export async function endCredential(system: System, db: Database, one: Claimed): Promise<void> {
  const ended = await db.batch<{ id: string }[]>([
    db.statement(
      `update deliveries set status = 'failed', lease_id = null, last_error = 'credential_ended' where id = ? and lease_id = ?`,
      one.delivery_id,
      one.lease_id,
    ),
    ...disable(system, db, one, 'credential_ended'),
  ])
  await enqueueEvents(system, ended[1] ?? [])
}
