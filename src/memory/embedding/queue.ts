import type { System } from '../../core/context.ts'
import { joining } from '../../core/batching/join.ts'

/** A message of the `embed` queue: items whose text awaits its vectors. */
export interface EmbedMessage {
  kind: 'embed'
  shard: string
  ids: string[]
}

/** After this long without a claim the sweep sends an item again: `memory_items.next_attempt_at` of a new text. */
export const RESEND_AFTER_MS = 60_000

/** Ids of one message: 100 × 30 bytes stays far below a message's 128 KB and is one consumer's portion. */
const MAX_IDS = 100

/** What is stored within this time is embedded as one portion; nobody waits for it. */
const JOIN_MS = 50

/** Sends committed items to be embedded, after the answer, together with those of concurrent requests. */
export const enqueueEmbedding = joining(JOIN_MS, sendEmbedMessages)

/** Sends them now, in as few messages as they need. */
export async function sendEmbedMessages(system: System, shard: string, ids: readonly string[]): Promise<void> {
  const messages: EmbedMessage[] = []
  for (let at = 0; at < ids.length; at += MAX_IDS)
    messages.push({ kind: 'embed', shard, ids: ids.slice(at, at + MAX_IDS) })
  await system.queues.send('embed', messages)
}
