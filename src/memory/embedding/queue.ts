import { coalesce } from '../../core/batching/coalesce.ts'
import type { System } from '../../core/context.ts'
import { workMessages } from '../../core/message-kinds.ts'
import { sendWork } from '../../core/work.ts'
import { portions } from '../../core/values/portions.ts'
import { MINUTE_MS } from '../../core/values/durations.ts'

const EMBED = workMessages('embed', 'embed')

/** A message of the `embed` queue: ids of items to embed. */
export interface EmbedMessage {
  kind: 'embed'
  shard: string
  ids: readonly string[]
  /** The consumer then goes on with what is due, until this instant. */
  until?: number
}

/** The sweep sends an item again after this long without a claim (`memory_items.next_attempt_at`). */
export const RESEND_AFTER_MS = MINUTE_MS

/** Ids of one message. 100 × 30 bytes are far below the 128 KB that a message may have. */
const MAX_IDS = 100

/** Items stored within this time are embedded together. No request waits for it. */
const JOIN_MS = 50

/** Sends committed items after the answer, together with those of concurrent requests. */
export const enqueueEmbedding = coalesce(JOIN_MS, (system, shard, ids) =>
  sendEmbedding(system, embedMessages(shard, ids)),
)

export const sendEmbedding = (
  system: Pick<System, 'queues' | 'log'>,
  messages: readonly EmbedMessage[],
  delaySeconds = 0,
): Promise<boolean> => sendWork(system, { kind: EMBED, messages, delaySeconds })

/** As few messages as possible. */
export const embedMessages = (shard: string, ids: readonly string[]): EmbedMessage[] =>
  portions(ids, MAX_IDS).map((some) => ({ kind: 'embed', shard, ids: some }))
