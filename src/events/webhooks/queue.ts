import type { System } from '../../core/context.ts'
import { workMessages } from '../../core/message-kinds.ts'
import type { Database } from '../../core/database/database.ts'
import { sendWork } from '../../core/work.ts'
import { HOUR_SECONDS, MINUTE_MS } from '../../core/values/durations.ts'

/** A delivery that is due and not claimed within this time gets another message. */
export const FIRST_RESEND_MS = 2 * MINUTE_MS
/** Below the platform's limit of a queue delay (architecture §9). The sweep sends what is due later. */
const MAX_DELAY_SECONDS = 12 * HOUR_SECONDS

export const DELIVERIES = workMessages('delivery', 'deliveries')

/** A message of the queue `delivery`. */
export interface DeliveryMessage {
  /** Whose database holds the delivery. Absent: a version sent it that asked all shards. */
  shard?: string | undefined
  id: string
}

/** Hands deliveries over that are due later. Queues delay by whole seconds, so those of one second travel together. */
export async function enqueueLater(
  system: Pick<System, 'queues' | 'log'>,
  db: Pick<Database, 'shard'>,
  deliveries: readonly { id: string; pauseMs: number }[],
): Promise<void> {
  const bySecond = Map.groupBy(deliveries, ({ pauseMs }) => Math.ceil(pauseMs / 1_000))
  const sends = [...bySecond].map(([seconds, together]) => enqueueDeliveries(system, db, together, seconds * 1_000))
  await Promise.all(sends)
}

/** Hands deliveries to their queue. */
export async function enqueueDeliveries(
  system: Pick<System, 'queues' | 'log'>,
  { shard }: Pick<Database, 'shard'>,
  deliveries: readonly Pick<DeliveryMessage, 'id'>[],
  delayMs = 0,
): Promise<void> {
  const delaySeconds = Math.max(0, Math.ceil(delayMs / 1_000))
  if (deliveries.length === 0 || delaySeconds > MAX_DELAY_SECONDS) return
  const messages = deliveries.map(({ id }): DeliveryMessage => ({ shard, id }))
  await sendWork(system, { kind: DELIVERIES, messages, delaySeconds })
}
