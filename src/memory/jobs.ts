import type { System } from '../core/context.ts'

/** A message of the `embed` queue: items whose text awaits its vectors. */
export interface EmbedJob {
  kind: 'embed'
  shard: string
  ids: string[]
}

/** After this long without a claim the sweep sends an item again: `memory_items.next_attempt_at` of a new text. */
export const RESEND_AFTER_MS = 60_000

/** Ids of one message: 100 × 30 bytes stays far below a message's 128 KB and is one consumer's portion. */
const MAX_IDS = 100

const waiting = new Map<string, string[]>()

/**
 * Sends committed items to be embedded, after the answer. What concurrent requests of this isolate commit within one
 * turn of the event loop travels in one message. A refused send is only logged: the sweep sends again what was left.
 */
export function enqueueEmbedding(system: System, shard: string, ids: readonly string[]): void {
  if (ids.length === 0) return
  const joined = waiting.get(shard)
  if (joined) {
    joined.push(...ids)
    return
  }
  waiting.set(shard, [...ids])
  system.waitUntil(scheduler.wait(0).then(() => flush(system, shard)))
}

async function flush(system: System, shard: string): Promise<void> {
  const ids = waiting.get(shard) ?? []
  waiting.delete(shard)
  const jobs: EmbedJob[] = []
  for (let at = 0; at < ids.length; at += MAX_IDS) jobs.push({ kind: 'embed', shard, ids: ids.slice(at, at + MAX_IDS) })
  await system.queues.send('embed', jobs)
}
