import type { Database } from '../../core/database/database.ts'
import { forEachShard, type QueueConsumer } from '../../core/queue.ts'
import { embedDue, ROUND_MS } from './due.ts'
import { embedItems, MAX_CLAIMED } from './embed.ts'
import { embedMessages, type EmbedMessage } from './queue.ts'
import { readTurns } from './turns.ts'

const idsOf = (bodies: readonly EmbedMessage[]): string[] => Array.from(new Set(bodies.flatMap(({ ids }) => ids)))

/** One claim takes few items, in the order in which they come. */
const asTurns = async (db: Database, ids: readonly string[]): Promise<readonly string[]> =>
  ids.length > MAX_CLAIMED ? readTurns(db, ids) : ids

/** The consumer of the `embed` queue. D1 holds the result of each item, so only an error of D1 retries the messages. */
export const embedConsumer: QueueConsumer = {
  consume: (system, messages) =>
    forEachShard(system, messages, async (shard, some) => {
      const db = system.database(shard)
      const own = some.map((message) => message.body as EmbedMessage)
      // Items that were just stored come first.
      const fresh = await asTurns(db, idsOf(own.filter(({ until }) => until === undefined)))
      const left = await embedItems(system, db, fresh, system.now() + ROUND_MS)
      const chained = own.filter(({ until }) => until !== undefined)
      const until = Math.max(...chained.map((body) => body.until ?? 0))
      if (chained.length > 0) await embedDue(system, shard, await asTurns(db, idsOf(chained)), until)
      // The sweep sends them where the model is down.
      return system.embedder.down() ? [] : embedMessages(shard, left)
    }),
  /** The items of a dead letter still wait in D1. They become due at once. */
  async onDeadLetters(system, messages) {
    await forEachShard(system, messages, async (shard, own) => {
      const rows = await system.database(shard).write(
        `update memory_items set next_attempt_at = :now where id in (select value from json_each(:ids))
           and embedding_status = 'pending' and deleted_at is null returning id`,
        { ids: JSON.stringify(idsOf(own.map(({ body }) => body as EmbedMessage))), now: system.now() },
      )
      const dead = own.map(({ id }) => id)
      system.log.error({ event: 'embed.dead_letters', alert: true, shard, items: rows.length, messages: dead })
    })
  },
}
