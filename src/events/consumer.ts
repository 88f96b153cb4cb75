import { z } from 'zod'
import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { forEachShard, retrySeconds, type QueueConsumer, type QueueMessage } from '../core/queue.ts'
import { portions } from '../core/values/portions.ts'
import { fanOut, MAX_EVENTS } from './fan-out.ts'
import { RESEND_AFTER_MS } from './outbox.ts'
import type { EventsMessage } from './queue.ts'

const Message: z.ZodType<EventsMessage> = z.object({ shard: z.string().optional(), ids: z.array(z.string()) })

/** Consumes the queue `events`: the fan-out of committed events. */
export const eventConsumer: QueueConsumer = {
  consume: (system, messages) =>
    forEachShard(system, messages, async (shard, own) => {
      const db = system.database(shard)
      try {
        return await fanOutAll(system, db, own.flatMap(idsOf))
      } catch (error) {
        system.log.error({ event: 'events.fan_out_failed', shard, messages: own.length }, error)
        // Each message alone, so that only those that fail are retried.
        const left: EventsMessage[] = []
        for (const message of own) {
          if (db.isSpent) left.push({ shard, ids: idsOf(message) })
          else
            await fanOutAll(system, db, idsOf(message)).then(
              (more) => left.push(...more),
              () => message.retry(retrySeconds(message)),
            )
        }
        return left
      }
    }),

  /** Hands the events back to the sweep, as if they had just been committed. */
  async onDeadLetters(system, messages) {
    const ids = messages.flatMap(idsOf)
    system.log.error({ event: 'events.dead_letters', alert: true, ids })
    await forEachShard(system, messages, async (shard, own) => {
      await system
        .database(shard)
        .write(
          'update events set resend_at = :resend_at, resends = 0 where id in (select value from json_each(:ids)) and settled_at is null',
          { ids: JSON.stringify(own.flatMap(idsOf)), resend_at: system.now() + RESEND_AFTER_MS },
        )
    })
  },
}

const idsOf = (message: QueueMessage): string[] => Message.safeParse(message.body).data?.ids ?? []

/** Answers messages of the events that this invocation has no queries left for. */
async function fanOutAll(system: System, db: Database, ids: readonly string[]): Promise<EventsMessage[]> {
  const left: EventsMessage[] = []
  for (const some of portions([...new Set(ids)], MAX_EVENTS)) {
    if (db.isSpent) left.push({ shard: db.shard, ids: some })
    else await fanOut(system, db, some)
  }
  return left
}
