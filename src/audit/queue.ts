import { SendBuffer, type BufferOptions } from '../core/batching/buffer.ts'
import type { Principal, System } from '../core/context.ts'
import { emptyMessage, type AuditMessage, type RequestOutcome } from './message.ts'
import type { AuditRow } from './record.ts'
import { storeMessages } from './store.ts'

/** How long rows wait for others before they are sent as one message (architecture §6). */
const WINDOW_MS = { production: 1_000, local: 250 }
/** Counts and last uses are sums that are not urgent: they go in messages of their own. */
const COUNTS_WINDOW_MS = { production: 10_000, local: 2_500 }
const MAX_ROWS = 200
/** A message of a queue takes 128,000 bytes. */
const MAX_BYTES = 120_000
/** An upper bound of what a row takes as JSON besides the ids that `bytesOf` counts. */
const ROW_BYTES = 520
/** Counts and last uses of one message, of about a hundred bytes each. */
const MAX_COUNTS = 800
/** After this many refusals in a row the message is stored without the queue. */
const MAX_REFUSALS = 2

interface Batch {
  message: AuditMessage
  /** Of the rows, as JSON. */
  bytes: number
  /** Keys in `counts` and `uses`. */
  keys: number
}

const batches: Omit<BufferOptions<Batch>, 'windowMs'> = {
  open: (system) => ({ message: { ...emptyMessage(), id: system.newId('aud') }, bytes: 0, keys: 0 }),
  isFull: ({ message, bytes, keys }) => message.rows.length >= MAX_ROWS || bytes >= MAX_BYTES || keys >= MAX_COUNTS,
  send: (system, { message }, refusals) =>
    refusals < MAX_REFUSALS ? system.queues.send('audit', [message]) : storeMessages(system, [message]),
  onRefused: (system, { message }, refusals, error) =>
    system.log.error({ event: 'audit.refused', rows: message.rows.length, refusals }, error),
}
const rows = new SendBuffer({ ...batches, windowMs: (system) => WINDOW_MS[system.config.environment] })
const counts = new SendBuffer({ ...batches, windowMs: (system) => COUNTS_WINDOW_MS[system.config.environment] })

/** Sends a row with this isolate's next message. The request does not wait for it. */
export function enqueueAuditRow(system: System, row: AuditRow): void {
  rows.add(system, (batch) => {
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
  /** The request committed an audit row, which waits in the outbox. */
  committed: boolean
}

/** Usage is counted in steps of this length. */
export const COUNT_STEP_MS = 5 * 60_000

/** Counts a request for `/v1/usage`, records the use of its credential, and asks for a move where it committed a row. */
export function countRequest(system: System, request: FinishedRequest): void {
  const { principal, shard, operation, outcome, committed } = request
  const { kind, id } = principal.credential
  const now = system.now()
  const step = now - (now % COUNT_STEP_MS)
  const key = [principal.tenantId, principal.userId, operation, outcome, step].join(' ')
  counts.add(system, (batch) => {
    const { message } = batch
    if (kind !== 'access') {
      if (!message.uses[id]) batch.keys += 1
      message.uses[id] = { kind, shard, at: now }
    }
    const before = message.counts[key]
    if (before === undefined) batch.keys += 1
    message.counts[key] = (before ?? 0) + 1
  })
  if (committed) rows.add(system, ({ message }) => addOnce(message.moves, shard))
}

function addOnce(shards: string[], shard: string): void {
  if (!shards.includes(shard)) shards.push(shard)
}
