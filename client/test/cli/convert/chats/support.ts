import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { measure } from '../../../../src/cli/convert/measure.ts'
import { openSource, type Format, type SourceOptions } from '../../../../src/cli/convert/source.ts'
import { NOW, testIo } from '../../support/io.ts'

const EXPORTS = join(import.meta.dirname, '../exports')

export const exportPath = (name: string): string => join(EXPORTS, name)
export const exportBytes = (name: string): Promise<Buffer> => readFile(exportPath(name))

/** The lines of a source, and what was left out of it: counted things by reason, and records by place. */
export async function read(path: string, format: Format, more: Partial<SourceOptions> = {}) {
  const { io } = testIo()
  const lines: unknown[] = []
  const source = await openSource(io, path, { format, numbersAsText: false, ...more }, NOW)
  const { leftOut, leftOutByReason } = await measure(source, (line) => lines.push(JSON.parse(line)))
  const counts = Object.fromEntries(leftOutByReason.list().map(({ reason, count }) => [reason, count]))
  return { lines, counts, unread: leftOut.map(({ from, reason }) => `${from}: ${reason}`), leftOutByReason }
}
