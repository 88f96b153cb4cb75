import { createHash } from 'node:crypto'
import type { LeftOut } from './line.ts'
import type { Source } from './source.ts'

export interface Measured {
  lines: number
  /** A hash of all lines: the same source has the same hash. */
  sha256: string
  leftOut: LeftOut[]
  notes: { from: string; note: string }[]
}

/** The number of a source's lines, and what a person should know before they are sent. */
export async function measure(source: Source): Promise<Measured> {
  const hash = createHash('sha256')
  const measured: Omit<Measured, 'sha256'> = { lines: 0, leftOut: [], notes: [] }
  for await (const record of source.records()) {
    if ('reason' in record) {
      measured.leftOut.push(record)
      continue
    }
    measured.lines += 1
    hash.update(record.line).update('\n')
    if (record.note !== undefined) measured.notes.push({ from: record.from, note: record.note })
  }
  return { ...measured, sha256: hash.digest('hex') }
}
