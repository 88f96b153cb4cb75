import { auditJobs } from './audit/index.ts'
import { depsOf } from './deps.ts'
import { parseQueueName } from './backends/queues.ts'
import type { Job, JobHandler } from './core/queue.ts'
import type { QueueName } from './core/ports.ts'
import { deliveryJobs, eventJobs } from './events/index.ts'
import { embedJobs, purgeJobs } from './memory/index.ts'

/** Who consumes which queue. */
const handlers: Partial<Record<QueueName, JobHandler>> = {
  audit: auditJobs,
  delivery: deliveryJobs,
  embed: embedJobs,
  events: eventJobs,
  purge: purgeJobs,
}

export async function consume(batch: MessageBatch, env: Env, execution: ExecutionContext): Promise<void> {
  const { queue, dead } = parseQueueName(batch.queue)
  const handler = handlers[queue]
  if (!handler) throw new Error(`nobody consumes ${batch.queue}`)
  const system = depsOf(env)((work) => execution.waitUntil(work))
  const jobs = batch.messages.map((message): Job => ({
    id: message.id,
    body: message.body,
    attempts: message.attempts,
    sentAt: message.timestamp.getTime(),
    ack: () => message.ack(),
    retry: (delaySeconds) => message.retry(delaySeconds === undefined ? {} : { delaySeconds }),
  }))
  await (dead ? handler.bury(system, jobs) : handler.consume(system, jobs))
}
