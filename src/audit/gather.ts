import type { System } from '../core/context.ts'
import type { AuditRow } from './record.ts'

/** Rows of reads and refusals wait this long for company, then go out as one message (architecture §6). */
const WINDOW_MS = { production: 1_000, local: 50 }
const MAX_ROWS = 200
const MAX_BYTES = 64 * 1024

let rows: AuditRow[] = []
let bytes = 0
let scheduled = false

/** Adds a row to this isolate's next message. Called after the answer is decided; costs the request nothing. */
export function gather(system: System, row: AuditRow): void {
  rows.push(row)
  bytes += JSON.stringify(row).length
  if (rows.length >= MAX_ROWS || bytes >= MAX_BYTES) {
    system.waitUntil(flush(system))
  } else if (!scheduled) {
    scheduled = true
    system.waitUntil(scheduler.wait(WINDOW_MS[system.config.environment]).then(() => flush(system)))
  }
}

async function flush(system: System): Promise<void> {
  scheduled = false
  if (rows.length === 0) return
  const batch = rows
  rows = []
  bytes = 0
  try {
    await system.queues.send('audit', [{ rows: batch }])
  } catch (error) {
    system.log.error({ event: 'audit.queue_refused', rows: batch.length }, error)
    // Kept for the next flush, in front of what came since.
    rows = [...batch, ...rows]
    bytes = JSON.stringify(rows).length
  }
}
