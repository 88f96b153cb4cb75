import type { System } from './context.ts'
import type { Database } from './database/database.ts'
import { backoffMs } from './values/backoff.ts'

/** One queue message. It is acknowledged when the consumer returns, unless the consumer retries it. */
export interface QueueMessage<Body = unknown> {
  readonly id: string
  readonly body: Body
  readonly attempts: number
  readonly sentAt: number
  ack(): void
  /** Burns one of the queue's attempts (architecture §9). */
  retry(delaySeconds?: number): void
}

/** How a feature consumes its queue. A throw retries the whole batch. */
export interface QueueConsumer {
  consume(system: System, messages: readonly QueueMessage[]): Promise<void>
  /** Gets messages that the queue gave up on. It puts their work back and writes an alert line. */
  onDeadLetters(system: System, messages: readonly QueueMessage[]): Promise<void>
}

/** The delay, in seconds, after which a message whose work failed is tried again. */
export const retrySeconds = (message: QueueMessage): number =>
  Math.ceil(backoffMs(message.attempts, 1_000, 60_000, 1) / 1_000)

/** Work that the clock starts. A sweep is bounded, and safe to run twice at once. */
export interface Sweep {
  name: string
  everyMinutes: number
  run(system: System): Promise<void>
}

/** A sweep that works on the database of one shard after the other. */
export const shardSweep = (
  name: string,
  everyMinutes: number,
  run: (system: System, db: Database, shard: string) => Promise<void>,
): Sweep => ({
  name,
  everyMinutes,
  run: async (system) => {
    for (const shard of system.shards) await run(system, system.database(shard), shard)
  },
})
