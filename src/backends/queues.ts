import type { QueueName, Queues } from '../core/ports.ts'

const MAX_MESSAGES = 100

/** Cloudflare Queues; `sendBatch` takes 100 messages (architecture §9). */
export function cloudflareQueues(bindings: Record<QueueName, Queue>): Queues {
  return {
    async send(queue, bodies, options = {}) {
      for (let at = 0; at < bodies.length; at += MAX_MESSAGES) {
        await bindings[queue].sendBatch(
          bodies.slice(at, at + MAX_MESSAGES).map((body) => ({ body })),
          options,
        )
      }
    },
  }
}

export async function waitingMessages(bindings: Record<QueueName, Queue>): Promise<Record<QueueName, number>> {
  const counts = Object.entries(bindings).map(async ([name, queue]) => [name, (await queue.metrics()).backlogCount])
  return Object.fromEntries(await Promise.all(counts))
}

/** The queue of a name. `recollect-local-embed-dlq` holds the dead letters of `embed`. */
export function parseQueueName(name: string): { queue: QueueName; dead: boolean } {
  const match = /-(embed|purge|events|delivery|audit)(-dlq)?$/.exec(name)
  if (!match) throw new Error(`unknown queue ${name}`)
  return { queue: match[1] as QueueName, dead: match[2] !== undefined }
}
