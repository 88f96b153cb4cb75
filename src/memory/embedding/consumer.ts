import type { QueueConsumer } from '../../core/queue.ts'
import { embedItems } from './embed.ts'
import type { EmbedMessage } from './queue.ts'

/** The consumer of the `embed` queue. D1 holds the result of each item, so only an error of D1 retries the messages. */
export const embedConsumer: QueueConsumer = {
  async consume(system, messages) {
    for (const [shard, own] of Map.groupBy(messages, (message) => (message.body as EmbedMessage).shard)) {
      const ids = new Set(own.flatMap((message) => (message.body as EmbedMessage).ids))
      await embedItems(system, system.database(shard), Array.from(ids))
    }
  },
  /** The items of a dead letter still wait in D1. They become due at once. */
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
