import { z } from 'zod'
import { forEachShard, type QueueConsumer, type QueueMessage } from '../../core/queue.ts'
import { beyondBatch } from './beyond-batch.ts'
import { claim } from './claim.ts'
import { sendClaimed } from './deliver.ts'
import type { DeliveryMessage } from './queue.ts'

const Message: z.ZodType<DeliveryMessage> = z.object({ shard: z.string().optional(), id: z.string() })

/**
 * The local queue simulator runs one batch at a time, so that a mute receiver would hold up all others. A claimed delivery
 * needs its batch no longer: if the process dies, its lease expires and the sweep sends it. The bound is what Cloudflare
 * sends at once: 100 consumers, each with a batch of 5 (wrangler.toml).
 */
const locally = beyondBatch(500)

/** Consumes the queue `delivery`: webhook deliveries that are due. */
export const deliveryConsumer: QueueConsumer = {
  /** After a failure, a delivery that was claimed comes back with the sweep, after its lease; the retry asks for the others. */
  consume: (system, messages) =>
    forEachShard(system, messages, async (shard, own) => {
      const db = system.database(shard)
      const deliveries = await claim(system, db, own.flatMap(idOf))
      const sent = sendClaimed(system, db, deliveries)
      await (system.config.environment === 'local' ? locally(system, deliveries.length, sent) : sent)
    }),

  /** Hands the deliveries back to the sweep. */
  async onDeadLetters(system, messages) {
    const ids = messages.flatMap(idOf)
    system.log.error({ event: 'delivery.dead_letters', alert: true, ids })
    await forEachShard(system, messages, async (shard, own) => {
      await system.database(shard).write(
        `update deliveries set resend_at = max(next_attempt_at, :now) where id in (select value from json_each(:ids))
           and status in ('pending', 'sending')`,
        { ids: JSON.stringify(own.flatMap(idOf)), now: system.now() },
      )
    })
  },
}

const idOf = (message: QueueMessage): string[] => {
  const { data } = Message.safeParse(message.body)
  return data ? [data.id] : []
}
