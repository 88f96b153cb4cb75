import { z } from 'zod'
import { backoffMs } from '../core/values/backoff.ts'
import type { System } from '../core/context.ts'
import type { QueueMessage, QueueConsumer } from '../core/queue.ts'
import { deliver } from './webhooks/deliver.ts'
import { fanOut, MAX_EVENTS } from './fan-out.ts'
import { RESEND_AFTER_MS } from './outbox.ts'

const Message = z.object({ ids: z.array(z.string()) })

/** Queue `events`: committed events on their way to deliveries and sockets. */
export const eventConsumer: QueueConsumer = {
  async consume(system, messages) {
    try {
      await fanOutAll(system, messages.flatMap(idsOf))
    } catch (error) {
      system.log.error({ event: 'events.fan_out_failed', messages: messages.length }, error)
      // One by one, so that only the messages that fail are retried.
      for (const message of messages)
        await fanOutAll(system, idsOf(message)).catch(() => message.retry(retrySeconds(message)))
    }
  },

  /** Puts the events back into the hands of the sweep, as if they had just been committed. */
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

const retrySeconds = (message: QueueMessage): number => Math.ceil(backoffMs(message.attempts, 1_000, 60_000, 1) / 1_000)

async function fanOutAll(system: System, ids: readonly string[]): Promise<void> {
  const each = [...new Set(ids)]
  for (const shard of system.shards) {
    for (let at = 0; at < each.length; at += MAX_EVENTS) {
      await fanOut(system, system.database(shard), each.slice(at, at + MAX_EVENTS))
    }
  }
}

const Due = z.object({ id: z.string() })

/** Queue `delivery`: webhooks that are due. */
export const deliveryConsumer: QueueConsumer = {
  async consume(system, messages) {
    try {
      for (const shard of system.shards) await deliver(system, system.database(shard), messages.flatMap(dueOf))
    } catch (error) {
      // What was claimed is found by the sweep once its lease is over; what was not is asked for again.
      system.log.error({ event: 'delivery.batch_failed', messages: messages.length }, error)
      for (const message of messages) message.retry(retrySeconds(message))
    }
  },

  async onDeadLetters(system, messages) {
    const ids = messages.flatMap(dueOf)
    system.log.error({ event: 'delivery.dead_letters', alert: true, ids })
    for (const shard of system.shards) {
      await system.database(shard).write(
        `update deliveries set resend_at = max(next_attempt_at, ?2) where id in (select value from json_each(?1))
             and status in ('pending', 'sending')`,
        JSON.stringify(ids),
        system.now(),
      )
    }
  },
}

const dueOf = (message: QueueMessage): string[] => {
  const { data } = Due.safeParse(message.body)
  return data ? [data.id] : []
}
