import type { Principal, System } from '../core/context.ts'
import { emptyBundle, isEmpty, mergeBundles, type AuditBundle, type Outcome } from './bundle.ts'
import type { AuditRow } from './record.ts'
import { storeBundles } from './store.ts'

/** What is gathered waits this long for company, then goes out as one message (architecture §6). */
const WINDOW_MS = { production: 1_000, local: 250 }
/** Counters and last uses are sums that need not hurry: they go in a message of their own, this much later. */
const COUNTS_WINDOW_MS = { production: 10_000, local: 2_500 }
/** A flush that has not come by then died with the request that carried it. */
const LOST_AFTER_MS = 5_000
const MAX_ROWS = 200
/** A message of a queue takes 128,000 bytes. */
const MAX_BYTES = 120_000
/** At least what a row takes as JSON besides what `bytesOf` counts. */
const ROW_BYTES = 520
/** Counters and last uses of one message, of about a hundred bytes each. */
const MAX_COUNTS = 800
/** Refused as often in a row, a bundle is stored without the queue. */
const MAX_REFUSALS = 2

let bundle = emptyBundle()
let bytes = 0
let scheduledAt = -Infinity
let refusals = 0
/** Keys in `bundle.counts` and `bundle.uses`. */
let counts = 0
let countsSentAt = 0

/** Adds a row to this isolate's next message. Called after the answer is decided; costs the request nothing. */
export function gather(system: System, row: AuditRow): void {
  bundle.rows.push(row)
  bytes += bytesOf(row)
  schedule(system)
}

/**
 * At least its bytes as JSON, without the cost of writing it down. Ids may be whatever a client sent, of which JSON makes
 * six bytes a character at most.
 */
const bytesOf = ({ resource_ids, project_id, workspace_id }: AuditRow): number =>
  [...resource_ids, project_id ?? '', workspace_id ?? ''].reduce((sum, id) => sum + 6 * id.length + 3, ROW_BYTES)

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
  if (kind !== 'access') {
    if (!bundle.uses[id]) counts += 1
    bundle.uses[id] = { kind, shard, at: now }
  }
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
  if (sending.length === 0) return schedule(system)
  try {
    await (refusals < MAX_REFUSALS ? system.queues.send('audit', sending) : storeBundles(system, sending))
    refusals = 0
  } catch (error) {
    refusals += 1
    const rows = sending.reduce((sum, part) => sum + part.rows.length, 0)
    system.log.error({ event: 'audit.refused', rows, refusals }, error)
    // Kept for the next flush, which needs no further request, in front of what came since.
    bundle = sending.reduceRight((later, earlier) => mergeBundles(earlier, later), bundle)
    bytes = bundle.rows.reduce((sum, row) => sum + bytesOf(row), 0)
    counts = Object.keys(bundle.counts).length + Object.keys(bundle.uses).length
    countsSentAt = -Infinity
  }
  if (!isEmpty(bundle)) schedule(system)
}

/** What goes out now: all rows, and in a message of their own the counters where their time has come. */
function take(system: System): AuditBundle[] {
  const now = system.now()
  const { rows, moves, uses, counts: counted } = bundle
  // Either way, since a clock may be set back.
  const waited = Math.abs(now - countsSentAt)
  const due = counts >= MAX_COUNTS || (counts > 0 && waited >= COUNTS_WINDOW_MS[system.config.environment])
  bundle = due ? emptyBundle() : { ...emptyBundle(), uses, counts: counted }
  bytes = 0
  if (due) {
    counts = 0
    countsSentAt = now
  }
  const message = (part: Partial<AuditBundle>): AuditBundle => ({ ...emptyBundle(), ...part, id: system.newId('aud') })
  return [
    ...(rows.length > 0 || moves.length > 0 ? [message({ rows, moves })] : []),
    ...(due ? [message({ uses, counts: counted })] : []),
  ]
}
