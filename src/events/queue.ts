import { coalesce } from '../core/batching/coalesce.ts'
import type { System } from '../core/context.ts'
import type { Database, Statement } from '../core/database/database.ts'
import { workMessages } from '../core/message-kinds.ts'
import { portions } from '../core/values/portions.ts'
import { sendWork, WorkStatement, type Work } from '../core/work.ts'
import { unsettled, type OutboxRow } from './outbox.ts'

/** Events to hand to their sockets and subscriptions. */
export const EVENTS = workMessages('events', 'events')

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

/** The fan-out of events that this database has committed. */
const fanOutOf = ({ shard }: Pick<Database, 'shard'>, events: readonly string[]): Work => ({
  kind: EVENTS,
  messages: portions(events, MAX_IDS).map((ids): EventsMessage => ({ shard, ids })),
})

/** A statement that commits events, for a commit that hands them to the fan-out. */
export const outgoing = (db: Database, statement: Statement): WorkStatement =>
  new WorkStatement(statement, (ids) => fanOutOf(db, ids))

/** Hands events that this database has committed to the fan-out. */
export const enqueueEvents = (
  system: Pick<System, 'queues' | 'log'>,
  db: Pick<Database, 'shard'>,
  rows: readonly OutboxRow[],
  delaySeconds = 0,
): Promise<boolean> => sendWork(system, { ...fanOutOf(db, unsettled(rows)), delaySeconds })
