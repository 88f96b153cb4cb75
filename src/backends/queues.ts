import type { QueueBacklog, QueueName, Queues } from '../core/ports.ts'
import { portions } from '../core/values/portions.ts'

const MAX_MESSAGES = 100

/** Cloudflare Queues; `sendBatch` takes 100 messages (architecture §9). */
export function cloudflareQueues(bindings: Record<QueueName, Queue>): Queues {
  return {
    async send(queue, bodies, options = {}) {
      for (const some of portions(bodies, MAX_MESSAGES))
        await bindings[queue].sendBatch(
          some.map((body) => ({ body })),
          options,
        )
    },
  }
}

export async function queueBacklogs(bindings: Record<QueueName, Queue>): Promise<Record<QueueName, QueueBacklog>> {
  const backlogs = Object.entries(bindings).map(async ([name, queue]) => {
    const { backlogCount, oldestMessageTimestamp } = await queue.metrics()
    return [name, { messages: backlogCount, oldestAt: oldestMessageTimestamp?.getTime() ?? null }]
  })
  return Object.fromEntries(await Promise.all(backlogs))
}

/** The queue of a name. `recollect-local-embed-dlq` holds the dead letters of `embed`. */
export function parseQueueName(name: string): { queue: QueueName; dead: boolean } {
  const match = /-(embed|purge|events|delivery|audit)(-dlq)?$/.exec(name)
  if (!match) throw new Error(`unknown queue ${name}`)
  return { queue: match[1] as QueueName, dead: match[2] !== undefined }
}
