import { auditConsumer } from './audit/index.ts'
import { depsOf } from './deps.ts'
import { parseQueueName } from './backends/queues.ts'
import type { QueueMessage, QueueConsumer } from './core/queue.ts'
import type { QueueName } from './core/ports.ts'
import { deliveryConsumer, eventConsumer } from './events/index.ts'
import { embedConsumer, purgeConsumer } from './memory/index.ts'

/** Who consumes which queue. */
const handlers: Partial<Record<QueueName, QueueConsumer>> = {
  audit: auditConsumer,
  delivery: deliveryConsumer,
  embed: embedConsumer,
  events: eventConsumer,
  purge: purgeConsumer,
}

export async function consume(batch: MessageBatch, env: Env, execution: ExecutionContext): Promise<void> {
  const { queue, dead } = parseQueueName(batch.queue)
  const handler = handlers[queue]
  if (!handler) throw new Error(`nobody consumes ${batch.queue}`)
  const system = depsOf(env)((work) => execution.waitUntil(work))
  const messages = batch.messages.map((message): QueueMessage => ({
    id: message.id,
    body: message.body,
    attempts: message.attempts,
    sentAt: message.timestamp.getTime(),
    ack: () => message.ack(),
    retry: (delaySeconds) => message.retry(delaySeconds === undefined ? {} : { delaySeconds }),
  }))
  await (dead ? handler.onDeadLetters(system, messages) : handler.consume(system, messages))
}
