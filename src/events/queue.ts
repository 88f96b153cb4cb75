import { coalesce } from '../core/batching/coalesce.ts'
import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { portions } from '../core/values/portions.ts'
import { unsettled, type OutboxRow } from './outbox.ts'

/** A message of the queue `events`: ids of events that one shard has committed. */
export interface EventsMessage {
  /** Absent: a version sent it that asked all shards. */
  shard?: string | undefined
  ids: string[]
}

/** Event ids that one message carries. */
const MAX_IDS = 50
/** Memory events of concurrent requests wait this long for each other, because a message costs more than the delay. */
const COALESCE_MS = 20

/** `enqueueEvents` for what a request has committed, together with what concurrent requests commit. */
export const enqueueEventsCoalesced = coalesce(COALESCE_MS, (system, shard, ids) =>
  enqueueEvents(
    system,
    { shard },
    ids.map((id) => ({ id })),
  ),
)

/** Hands events that this database has committed to the fan-out. A failure is only logged, because a sweep sends lost events again. */
export async function enqueueEvents(
  system: Pick<System, 'queues' | 'log'>,
  { shard }: Pick<Database, 'shard'>,
  rows: readonly OutboxRow[],
  delaySeconds = 0,
): Promise<void> {
  const ids = unsettled(rows)
  if (ids.length === 0) return
  const messages = portions(ids, MAX_IDS).map((some): EventsMessage => ({ shard, ids: some }))
  try {
    await system.queues.send('events', messages, delaySeconds > 0 ? { delaySeconds } : {})
  } catch (error) {
    system.log.error({ event: 'events.enqueue_failed', events: ids.length }, error)
  }
}
