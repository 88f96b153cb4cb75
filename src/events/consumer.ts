import { z } from 'zod'
import type { System } from '../core/context.ts'
import { retrySeconds, type QueueConsumer, type QueueMessage } from '../core/queue.ts'
import { portions } from '../core/values/portions.ts'
import { fanOut, MAX_EVENTS } from './fan-out.ts'
import { RESEND_AFTER_MS } from './outbox.ts'
import type { EventsMessage } from './queue.ts'

const Message: z.ZodType<EventsMessage> = z.object({ ids: z.array(z.string()) })

/** Consumes the queue `events`: the fan-out of committed events. */
export const eventConsumer: QueueConsumer = {
  async consume(system, messages) {
    try {
      await fanOutAll(system, messages.flatMap(idsOf))
    } catch (error) {
      system.log.error({ event: 'events.fan_out_failed', messages: messages.length }, error)
      // Each message alone, so that only those that fail are retried.
      for (const message of messages)
        await fanOutAll(system, idsOf(message)).catch(() => message.retry(retrySeconds(message)))
    }
  },

  /** Hands the events back to the sweep, as if they had just been committed. */
  async onDeadLetters(system, messages) {
    const ids = messages.flatMap(idsOf)
    system.log.error({ event: 'events.dead_letters', alert: true, ids })
    for (const shard of system.shards) {
      await system
        .database(shard)
        .write(
          'update events set resend_at = ?2, resends = 0 where id in (select value from json_each(?1)) and settled_at is null',
          JSON.stringify(ids),
          system.now() + RESEND_AFTER_MS,
        )
    }
  },
}

const idsOf = (message: QueueMessage): string[] => Message.safeParse(message.body).data?.ids ?? []

async function fanOutAll(system: System, ids: readonly string[]): Promise<void> {
  const unique = [...new Set(ids)]
  for (const shard of system.shards) {
    for (const some of portions(unique, MAX_EVENTS)) await fanOut(system, system.database(shard), some)
  }
}
