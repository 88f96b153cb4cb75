import type { System } from '../../core/context.ts'
import type { QueueConsumer, Sweep } from '../../core/queue.ts'
import { embedItems } from './embed.ts'
import { RESEND_AFTER_MS, sendEmbedMessages, type EmbedMessage } from './queue.ts'

/** Items that one sweep of one shard sends again. */
const MAX_RESENT = 1_000

/** The consumer of the `embed` queue. Outcomes are in D1, so each message is acknowledged; a throw is D1's and retries. */
export const embedConsumer: QueueConsumer = {
  async consume(system, messages) {
    for (const [shard, own] of Map.groupBy(messages, (message) => (message.body as EmbedMessage).shard)) {
      const ids = new Set(own.flatMap((message) => (message.body as EmbedMessage).ids))
      await embedItems(system, system.database(shard), Array.from(ids))
    }
  },
  /** Nothing is lost with a message: its items still wait in D1, and are due at once. */
  async onDeadLetters(system, messages) {
    for (const message of messages) {
      const { shard, ids } = message.body as EmbedMessage
      const rows = await system.database(shard).write(
        `update memory_items set next_attempt_at = ?2 where id in (select value from json_each(?1))
           and embedding_status = 'pending' and deleted_at is null returning id`,
        JSON.stringify(ids),
        system.now(),
      )
      system.log.error({ event: 'embed.dead_letters', alert: true, items: rows.length, message: message.id })
    }
  },
}

const DUE = `
  update memory_items set next_attempt_at = ?1 + ${RESEND_AFTER_MS}
  where row in (
    select row from memory_items
    where embedding_status in ('pending', 'processing') and deleted_at is null and next_attempt_at <= ?1
    order by next_attempt_at limit ${MAX_RESENT})
  returning id`

/** A search of the index each: with `or`, `<>` or a comparison of pairs SQLite would look at every item there is, each minute. */
const EMBEDDED_BY_ANOTHER = [
  'embedding_model < ?2',
  'embedding_model > ?2',
  'embedding_model = ?2 and embedding_dimension < ?3',
  'embedding_model = ?2 and embedding_dimension > ?3',
]
  .map((so) => `select row from memory_items where embedding_status = 'completed' and deleted_at is null and ${so}`)
  .join(' union all ')

/** What another model, or the same at another dimension, embedded is not found by today's vectors: it awaits its embedding again. */
const OUTDATED = `
  update memory_items set embedding_status = 'pending', embedded_version = null, attempts = 0,
    next_attempt_at = ?1 + ${RESEND_AFTER_MS}
  where row in (${EMBEDDED_BY_ANOTHER} limit ${MAX_RESENT})
  returning id`

/** Sends again what was committed and lost its message, whose consumer died, whose back-off is over, or whose model is old. */
export async function resendEmbeddings(system: System): Promise<void> {
  for (const shard of system.shards) {
    const db = system.database(shard)
    const { model, dimension } = system.embedder
    const outdated = await db.write<{ id: string }>(OUTDATED, system.now(), model, dimension)
    const due = await db.write<{ id: string }>(DUE, system.now())
    await sendEmbedMessages(
      system,
      shard,
      [...outdated, ...due].map((row) => row.id),
    )
  }
}

export const embedSweeps: Sweep[] = [{ name: 'memory.embed', everyMinutes: 1, run: resendEmbeddings }]
