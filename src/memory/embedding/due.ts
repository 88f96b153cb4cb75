import type { System } from '../../core/context.ts'
import type { ItemRecord } from '../item.ts'
import { readDimension } from './dimension.ts'
import { embedItems } from './embed.ts'
import { modelDownMs } from './model-call.ts'
import { RESEND_AFTER_MS, type EmbedMessage } from './queue.ts'

/** Items that are taken at once, of each of the two kinds. Their ids fit into one message (128 KB). */
const MAX_DUE = 1_000
/** After this long the other messages of the queue have their turn. Locally one consumer runs at a time. */
const ROUND_MS = 3_000

/** Items whose message was lost, whose consumer died or whose back-off is over. */
const TAKE_DUE = `
  update memory_items set next_attempt_at = ?1 + ${RESEND_AFTER_MS}
  where row in (
    select row from memory_items
    where embedding_status in ('pending', 'processing') and deleted_at is null and next_attempt_at <= ?1
    order by next_attempt_at limit ${MAX_DUE})
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
const TAKE_OUTDATED = `
  update memory_items set embedding_status = 'pending', embedded_version = null, attempts = 0,
    next_attempt_at = ?1 + ${RESEND_AFTER_MS}
  where row in (${EMBEDDED_BY_ANOTHER} limit ${MAX_DUE})
  returning id`

/** Takes items that are due and items of an outdated model. Nobody else takes them for a while. */
export async function takeDue(system: System, shard: string): Promise<string[]> {
  const db = system.database(shard)
  const { model } = system.embedder
  const dimension = await readDimension(system)
  const outdated = await db.write<Pick<ItemRecord, 'id'>>(TAKE_OUTDATED, system.now(), model, dimension)
  const due = await db.write<Pick<ItemRecord, 'id'>>(TAKE_DUE, system.now())
  return [...outdated, ...due].map((row) => row.id)
}

/**
 * Embeds items and then what else is due, portion by portion, as fast as the model allows. After a round, or when the
 * model asks for a pause, a message of its own goes on. What is left at `until` waits for a later sweep.
 */
export async function embedDue(system: System, shard: string, ids: readonly string[], until: number): Promise<void> {
  const stopAt = Math.min(until, system.now() + ROUND_MS)
  let left = ids
  while (system.now() < stopAt) {
    left = await embedItems(system, system.database(shard), left, stopAt)
    if (left.length > 0 || modelDownMs(system) > 0 || system.queries?.isSpent) break
    left = await takeDue(system, shard)
    if (left.length === 0) return
  }
  const pauseMs = modelDownMs(system)
  if (system.now() + pauseMs >= until) return
  const message: EmbedMessage = { kind: 'embed', shard, ids: left, until }
  await system.queues.send('embed', [message], { delaySeconds: Math.ceil(pauseMs / 1_000) })
}
