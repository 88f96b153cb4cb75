import type { Origin } from '../convert/parts.ts'
import type { SourceRecord } from '../convert/source.ts'

/** So few that a call takes two seconds at the pace of an import, and the bar moves and Ctrl-C works in that time. */
export const CALL_LINES = 200
/** Below the 16 MiB of a call (contract §1). */
const MAX_BYTES = 8 * 1024 * 1024

export interface ImportCall {
  /** Where each line comes from. */
  from: string[]
  origins: (Origin | null)[]
  body: string
}

/** The lines in calls, from line `skip` on. The same lines make the same calls. */
export async function* callsOf(records: AsyncIterable<SourceRecord>, skip: number): AsyncGenerator<ImportCall> {
  let from: string[] = []
  let origins: (Origin | null)[] = []
  let lines: string[] = []
  let bytes = 0
  let seen = 0
  const take = (): ImportCall => {
    const call = { from, origins, body: `${lines.join('\n')}\n` }
    ;[from, origins, lines, bytes] = [[], [], [], 0]
    return call
  }
  for await (const record of records) {
    if ('reason' in record) continue
    seen += 1
    if (seen <= skip) continue
    const size = Buffer.byteLength(record.line) + 1
    if (lines.length > 0 && (lines.length === CALL_LINES || bytes + size > MAX_BYTES)) yield take()
    from.push(record.from)
    origins.push(record.origin)
    lines.push(record.line)
    bytes += size
  }
  if (lines.length > 0) yield take()
}
