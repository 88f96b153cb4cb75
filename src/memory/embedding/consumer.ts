import type { QueueConsumer } from '../../core/queue.ts'
import { embedDue } from './due.ts'
import { embedItems } from './embed.ts'
import type { EmbedMessage } from './queue.ts'

const idsOf = (bodies: readonly EmbedMessage[]): string[] => Array.from(new Set(bodies.flatMap(({ ids }) => ids)))

/** The consumer of the `embed` queue. D1 holds the result of each item, so only an error of D1 retries the messages. */
export const embedConsumer: QueueConsumer = {
  async consume(system, messages) {
    const bodies = messages.map((message) => message.body as EmbedMessage)
    for (const [shard, own] of Map.groupBy(bodies, (body) => body.shard)) {
      // What was just stored comes first.
      await embedItems(system, system.database(shard), idsOf(own.filter(({ until }) => until === undefined)))
      const chained = own.filter(({ until }) => until !== undefined)
      const until = Math.max(...chained.map((body) => body.until ?? 0))
      if (chained.length > 0) await embedDue(system, shard, idsOf(chained), until)
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
