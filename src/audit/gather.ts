import type { Principal, System } from '../core/context.ts'
import { emptyBundle, isEmpty, mergeBundles, type AuditBundle, type Outcome } from './bundle.ts'
import type { AuditRow } from './record.ts'
import { storeBundles } from './store.ts'

/** What is gathered waits this long for company, then goes out as one message (architecture §6). */
const WINDOW_MS = { production: 1_000, local: 250 }
/** Counters and last uses are sums that need not hurry: they go along with a message this much later. */
const COUNTS_WINDOW_MS = { production: 10_000, local: 2_500 }
/** A flush that has not come by then died with the request that carried it. */
const LOST_AFTER_MS = 5_000
const MAX_ROWS = 200
const MAX_BYTES = 96 * 1024
/** More than a row takes as JSON besides the ids that it touched. */
const ROW_BYTES = 600
/** Counters are few and small, but so is a message: 128 KB. */
const MAX_COUNTS = 400
/** Refused as often in a row, a bundle is stored without the queue. */
const MAX_REFUSALS = 2

let bundle = emptyBundle()
let bytes = 0
let scheduledAt = -Infinity
let refusals = 0
/** Keys in `bundle.counts`. */
let counts = 0
let countsSentAt = 0

/** Adds a row to this isolate's next message. Called after the answer is decided; costs the request nothing. */
export function gather(system: System, row: AuditRow): void {
  bundle.rows.push(row)
  bytes += bytesOf(row)
  schedule(system)
}

/** About its bytes as JSON, and rather too many, without the cost of writing it down: only ids may be a client's choice. */
const bytesOf = ({ resource_ids }: AuditRow): number =>
  resource_ids.reduce((sum, id) => sum + 3 * id.length + 3, ROW_BYTES)

/** What the pipeline knows of a finished request. */
export interface Finished {
  principal: Principal
  shard: string
  /** Name of the operation: its audit action. */
  operation: string
  outcome: Outcome
  /** The request committed an audit row, which the outbox mover shall fetch. */
  committed: boolean
}

/** Counts a request for `/v1/usage`, notes its credential's use, and calls the outbox mover where there is work. */
export function gatherRequest(system: System, { principal, shard, operation, outcome, committed }: Finished): void {
  const { kind, id } = principal.credential
  const now = system.now()
  if (kind !== 'access') bundle.uses[id] = { kind, shard, at: now }
  const minute = now - (now % COUNT_STEP_MS)
  const key = [principal.tenantId, principal.userId, operation, outcome, minute].join(' ')
  const before = bundle.counts[key]
  if (before === undefined) counts += 1
  bundle.counts[key] = (before ?? 0) + 1
  if (committed && !bundle.moves.includes(shard)) bundle.moves.push(shard)
  schedule(system)
}

/** The grain of usage counters. */
export const COUNT_STEP_MS = 5 * 60_000

function schedule(system: System): void {
  const full = bundle.rows.length >= MAX_ROWS || bytes >= MAX_BYTES || counts >= MAX_COUNTS
  if (full) {
    system.waitUntil(flush(system))
  } else if (system.now() > scheduledAt + LOST_AFTER_MS) {
    scheduledAt = system.now()
    system.waitUntil(scheduler.wait(WINDOW_MS[system.config.environment]).then(() => flush(system)))
  }
}

async function flush(system: System): Promise<void> {
  scheduledAt = -Infinity
  if (isEmpty(bundle)) return
  const sending = take(system)
  if (isEmpty(sending) && sending.moves.length === 0) return schedule(system)
  try {
    await (refusals < MAX_REFUSALS ? system.queues.send('audit', [sending]) : storeBundles(system, [sending]))
    refusals = 0
  } catch (error) {
    refusals += 1
    system.log.error({ event: 'audit.refused', rows: sending.rows.length, refusals }, error)
    // Kept for the next flush, which needs no further request, in front of what came since.
    bundle = mergeBundles(sending, bundle)
    bytes = bundle.rows.reduce((sum, row) => sum + bytesOf(row), 0)
    counts = Object.keys(bundle.counts).length
  }
  if (!isEmpty(bundle)) schedule(system)
}

/** What goes out now: all rows, and the counters where their time has come. */
function take(system: System): AuditBundle {
  const now = system.now()
  const { rows, moves, ...rest } = bundle
  // Either way, since a clock may be set back.
  const waited = Math.abs(now - countsSentAt)
  const due = counts >= MAX_COUNTS || waited >= COUNTS_WINDOW_MS[system.config.environment]
  bundle = due ? emptyBundle() : { ...emptyBundle(), ...rest }
  bytes = 0
  if (due) {
    counts = 0
    countsSentAt = now
  }
  return { ...emptyBundle(), rows, moves, ...(due ? rest : {}), id: system.newId('aud') }
}
