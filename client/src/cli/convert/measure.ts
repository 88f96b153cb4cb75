import { createHash } from 'node:crypto'
import { LeftOutByReason } from './left-out.ts'
import type { LeftOut } from './line.ts'
import type { Source } from './source.ts'

export interface Measured {
  lines: number
  /** A hash of all lines: the same source has the same hash. */
  sha256: string
  leftOut: LeftOut[]
  leftOutByReason: LeftOutByReason
  notes: { from: string; note: string }[]
}

/** The number of a source's lines, and what a person should know before they are sent. `look` sees each line. */
export async function measure(source: Source, look: (line: string) => void = () => {}): Promise<Measured> {
  const hash = createHash('sha256')
  const measured = { lines: 0, leftOut: [] as LeftOut[], notes: [] as Measured['notes'] }
  const leftOutByReason = new LeftOutByReason()
  for await (const record of source.records()) {
    if ('reason' in record) {
      if (record.count === undefined) measured.leftOut.push(record)
      else leftOutByReason.add(record.reason, record.from, record.count)
      continue
    }
    measured.lines += 1
    hash.update(record.line).update('\n')
    look(record.line)
    if (record.note !== undefined) measured.notes.push({ from: record.from, note: record.note })
  }
  return { ...measured, leftOutByReason, sha256: hash.digest('hex') }
}
