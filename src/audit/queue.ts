import { SendBuffer, type BufferOptions } from '../core/batching/buffer.ts'
import type { Principal, System } from '../core/context.ts'
import { dataMessages } from '../core/message-kinds.ts'
import { sendData } from '../core/work.ts'
import { addFigure, figureKey, type Figure } from './figures.ts'
import { emptyMessage, type AuditMessage, type RequestOutcome } from './message.ts'
import type { AuditRow } from './record.ts'
import { addDuration, hourKey } from './request-hours.ts'
import { FIRST_SHARD, shardOf } from '../core/shards.ts'
import { storeMessages } from './store.ts'
import { MINUTE_MS } from '../core/values/durations.ts'

/** How long rows wait for others before they are sent as one message (architecture §6). */
const WINDOW_MS = { production: 1_000, local: 250 }
/** Counts and last uses are sums that are not urgent: they go in messages of their own. */
const COUNTS_WINDOW_MS = { production: 10_000, local: 2_500 }
/** Counts of consumers go out soon, because a batch of a queue ends only when none of its work waits any more. */
const OUTCOMES_WINDOW_MS = { production: 100, local: 100 }
const MAX_ROWS = 200
/** A message of a queue takes 128,000 bytes. */
const MAX_BYTES = 120_000
/** An upper bound of what a row takes as JSON besides the ids that `bytesOf` counts. */
const ROW_BYTES = 540
/** An upper bound of what a count, a last use or the sums of an hour take as JSON besides the key. */
const COUNT_BYTES = 110
/** After this many refusals in a row the message is stored without the queue. */
const MAX_REFUSALS = 2

/** Rows of accesses, counts and last uses, which are nowhere else until a consumer has stored them. */
export const AUDIT = dataMessages('audit', 'audit')

interface Batch {
  message: AuditMessage
  /** An upper bound of its size as JSON. */
  bytes: number
}

const batches = (shard: string): Omit<BufferOptions<Batch>, 'windowMs'> => ({
  open: (system) => ({ message: { ...emptyMessage(shard), id: system.newId('aud') }, bytes: 0 }),
  isFull: ({ message, bytes }) => message.rows.length >= MAX_ROWS || bytes >= MAX_BYTES,
  send: (system, { message }, refusals) =>
    refusals < MAX_REFUSALS ? sendData(system, AUDIT, [message]) : storeMessages(system, shard, [message]),
  onRefused: (system, { message }, refusals, error) =>
    system.log.error({ event: 'audit.refused', rows: message.rows.length, refusals }, error),
})

/** The buffer of each shard, whose messages wait apart: an audit database that is down holds up its own alone. */
function bufferByShard(windowMs: Record<System['config']['environment'], number>) {
  const buffers = new Map<string, SendBuffer<Batch>>()
  return (shard: string): SendBuffer<Batch> => {
    let buffer = buffers.get(shard)
    if (!buffer) {
      buffer = new SendBuffer({ ...batches(shard), windowMs: (system) => windowMs[system.config.environment] })
      buffers.set(shard, buffer)
    }
    return buffer
  }
}
const rows = bufferByShard(WINDOW_MS)
const counts = bufferByShard(COUNTS_WINDOW_MS)
const outcomes = bufferByShard(OUTCOMES_WINDOW_MS)

/** Sends a row of a tenant of this shard with this isolate's next message. The request does not wait for it. */
export function enqueueAuditRow(system: System, shard: string, row: AuditRow): void {
  rows(shard).add(system, (batch) => {
    batch.message.rows.push(row)
    batch.bytes += bytesOf(row)
  })
}

/** An upper bound of its size as JSON, in bytes. A character of a client's id takes at most six bytes. */
const bytesOf = ({ resource_ids, project_id, workspace_id }: AuditRow): number =>
  [...resource_ids, project_id ?? '', workspace_id ?? ''].reduce((sum, id) => sum + 6 * id.length + 3, ROW_BYTES)

/** What the pipeline knows of a request that has ended. */
export interface FinishedRequest {
  principal: Principal
  shard: string
  /** Name of the operation: its audit action. */
  operation: string
  outcome: RequestOutcome
  /** From its arrival to its answer. */
  durationMs: number
  /** What it read or changed belongs to this project. */
  projectId: string | null
  /** The portal read it to show a page. */
  pageRead: boolean
  /** The request committed an audit row, which waits in the outbox. */
  committed: boolean
}

/** Usage is counted in steps of this length. */
export const COUNT_STEP_MS = 5 * MINUTE_MS

/** Stands among the operations that are counted, and is no request. */
export const RERANK_CALL = 'memory.rerank'

/** The outcome of what the portal read to show a page, which a reader of the counts may leave out. */
export const PAGE_READ = 'page'

/** Counts a call of the reranker for `/v1/usage`. */
export function countRerank(system: System, caller: Principal, outcome: 'ok' | 'failed'): void {
  const key = countKey(system, caller, RERANK_CALL, outcome)
  counts(shardOf(caller.routingId)).add(system, (batch) => addCount(batch, key))
}

/** Stand among the operations that are counted, and are no requests: `guard.ACTION.KIND`. */
export const GUARD_COUNT = 'guard.'

export type GuardAction = 'flag' | 'redact' | 'refuse'

/** Counts secrets of one kind that the guard found in a write. */
export function countSecrets(
  system: System,
  caller: Principal,
  kind: string,
  action: GuardAction,
  found: number,
): void {
  const key = countKey(system, caller, `${GUARD_COUNT}${action}.${kind}`, 'ok')
  counts(shardOf(caller.routingId)).add(system, (batch) => addCount(batch, key, found))
}

/** Counts a request for `/v1/usage` and its series, records the use of its credential, and asks for a move where it committed a row. */
export function countRequest(system: System, request: FinishedRequest): void {
  const { principal, shard, operation, outcome, pageRead, committed } = request
  const { kind, id } = principal.credential
  const key = countKey(system, principal, operation, pageRead && outcome === 'ok' ? PAGE_READ : outcome)
  const hour = hourKey(system.now(), request)
  counts(shard).add(system, (batch) => {
    const { message } = batch
    if (addDuration((message.hours ??= {}), hour, request.durationMs)) batch.bytes += bytesOfKey(hour)
    if (kind !== 'access') {
      if (!message.uses[id]) batch.bytes += bytesOfKey(id)
      message.uses[id] = { kind, shard, at: system.now() }
    }
    addCount(batch, key)
  })
  if (committed) rows(shard).add(system, ({ message }) => addOnce(message.moves, shard))
}

/** Counts for `GET /metrics` what a request did. Does nothing where nobody may read it. */
export const countFigure = (system: System, figure: Figure): void => gather(counts, system, figure)

/** The same for what a consumer did. */
export const countOutcome = (system: System, figure: Figure): void => gather(outcomes, system, figure)

function gather(buffers: typeof counts, system: System, figure: Figure): void {
  if (system.metricsToken === null) return
  const key = figureKey(figure)
  buffers(FIRST_SHARD).add(system, (batch) => {
    const figures = (batch.message.figures ??= { at: 0, sums: {} })
    figures.at = system.now()
    if (addFigure(figures.sums, key, figure)) batch.bytes += bytesOfKey(key)
  })
}

function countKey(
  system: Pick<System, 'now'>,
  { tenantId, userId }: Principal,
  operation: string,
  outcome: RequestOutcome | typeof PAGE_READ,
): string {
  const now = system.now()
  return [tenantId, userId, operation, outcome, now - (now % COUNT_STEP_MS)].join(' ')
}

function addCount(batch: Batch, key: string, events = 1): void {
  const { counts } = batch.message
  const before = counts[key]
  if (before === undefined) batch.bytes += bytesOfKey(key)
  counts[key] = (before ?? 0) + events
}

/** An upper bound of an entry under it. An application's id may be a URL; a character takes at most six bytes. */
const bytesOfKey = (key: string): number => key.length + 5 * (key.match(/[^ -~]|["\\]/g)?.length ?? 0) + COUNT_BYTES

function addOnce(shards: string[], shard: string): void {
  if (!shards.includes(shard)) shards.push(shard)
}
