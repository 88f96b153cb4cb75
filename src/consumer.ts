import { auditConsumer } from './audit/index.ts'
import { sweepingConsumer } from './cron.ts'
import { depsOf, type Deps } from './deps.ts'
import { parseQueueName } from './backends/queues.ts'
import { Misconfigured } from './core/misconfigured.ts'
import { consoleLog } from './core/log.ts'
import { budgeted, type QueueMessage, type QueueConsumer } from './core/queue.ts'
import type { QueueName } from './core/ports.ts'
import { backoffMs, type Backoff } from './core/values/backoff.ts'
import { deliveryConsumer, eventConsumer } from './events/index.ts'
import { embedConsumer, purgeConsumer } from './memory/index.ts'
import { HOUR_MS, MINUTE_MS } from './core/values/durations.ts'

/** Who consumes which queue. */
export const handlers: Record<QueueName, QueueConsumer> = {
  audit: auditConsumer,
  delivery: deliveryConsumer,
  embed: embedConsumer,
  events: eventConsumer,
  purge: sweepingConsumer(purgeConsumer),
}

export async function consume(batch: MessageBatch, env: Env, execution: ExecutionContext): Promise<void> {
  const { queue, dead } = parseQueueName(batch.queue)
  const handler = handlers[queue]
  const deps = depsOrRetry(batch, env)
  if (!deps) return
  const system = budgeted(deps((work) => execution.waitUntil(work)))
  const messages = batch.messages.map((message): QueueMessage => ({
    id: message.id,
    body: message.body,
    attempts: message.attempts,
    sentAt: message.timestamp.getTime(),
    ack: () => message.ack(),
    retry: (delaySeconds) => message.retry(delaySeconds === undefined ? {} : { delaySeconds }),
  }))
  if (dead) return handler.onDeadLetters(system, messages)
  const left = await handler.consume(system, messages)
  // As new messages, behind those that wait: a retry would use up an attempt.
  if (left.length > 0) await system.queues.send(queue, left)
}

/**
 * If the databases are bound under wrong names, the messages wait until somebody mends it. Their attempts last for hours,
 * because what is in no database yet must not be lost within minutes.
 */
function depsOrRetry(batch: MessageBatch, env: Env): Deps | null {
  try {
    return depsOf(env)
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error
    consoleLog.error({ event: 'queue.misconfigured', queue: batch.queue, messages: batch.messages.length }, error)
    for (const message of batch.messages) {
      message.retry({ delaySeconds: backoffMs(message.attempts, MISCONFIGURED) / 1_000 })
    }
    return null
  }
}

/** The longest is below the platform's limit of a queue delay (architecture §9). */
const MISCONFIGURED: Backoff = { firstMs: 10 * MINUTE_MS, longestMs: 11 * HOUR_MS }
