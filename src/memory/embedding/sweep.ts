import type { System } from '../../core/context.ts'
import type { Sweep } from '../../core/queue.ts'
import type { ItemRecord } from '../item.ts'
import { RESEND_AFTER_MS, sendEmbedMessages } from './queue.ts'

/** Items that one sweep of one shard sends again, of each of the two kinds. */
const MAX_RESENT = 1_000

/** Items whose message was lost, whose consumer died or whose back-off is over. */
const RESEND_DUE = `
  update memory_items set next_attempt_at = ?1 + ${RESEND_AFTER_MS}
  where row in (
    select row from memory_items
    where embedding_status in ('pending', 'processing') and deleted_at is null and next_attempt_at <= ?1
    order by next_attempt_at limit ${MAX_RESENT})
  returning id`

/** One index search each. With `or`, `<>` or a comparison of pairs SQLite would scan all items in every sweep. */
const EMBEDDED_BY_ANOTHER = [
  'embedding_model < ?2',
  'embedding_model > ?2',
  'embedding_model = ?2 and embedding_dimension < ?3',
  'embedding_model = ?2 and embedding_dimension > ?3',
]
  .map((so) => `select row from memory_items where embedding_status = 'completed' and deleted_at is null and ${so}`)
  .join(' union all ')

/** Items that another model or another dimension embedded. A query's vector cannot find them, so they are embedded again. */
const RESEND_OUTDATED = `
  update memory_items set embedding_status = 'pending', embedded_version = null, attempts = 0,
    next_attempt_at = ?1 + ${RESEND_AFTER_MS}
  where row in (${EMBEDDED_BY_ANOTHER} limit ${MAX_RESENT})
  returning id`

/** Sends items again that are due, and items of an outdated model. */
export async function resendEmbeddings(system: System): Promise<void> {
  for (const shard of system.shards) {
    const db = system.database(shard)
    const { model, dimension } = system.embedder
    const outdated = await db.write<Pick<ItemRecord, 'id'>>(RESEND_OUTDATED, system.now(), model, dimension)
    const due = await db.write<Pick<ItemRecord, 'id'>>(RESEND_DUE, system.now())
    await sendEmbedMessages(
      system,
      shard,
      [...outdated, ...due].map((row) => row.id),
    )
  }
}

export const embedSweep: Sweep = { name: 'memory.embed', everyMinutes: 1, run: resendEmbeddings }
