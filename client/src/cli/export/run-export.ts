import { backoffMs, type Backoff } from '../../backoff.ts'
import { runAlone } from '../config/alone.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { Io } from '../io.ts'
import { startProgress, type Progress } from '../output/progress.ts'
import { writeLine } from '../output/write-out.ts'
import type { ExportOrigin } from '../service.ts'
import { PartFile } from './part-file.ts'
import { Position } from './position.ts'

/** This many breaks in a row, without one item between them, end an export. */
const MAX_BREAKS = 5
const WAITS: Backoff = [1_000, 8_000, 0]

export type ExportQuery = Record<string, string | string[]>

/** Where the lines of an export go. */
interface Sink {
  position: Position
  write: (line: string) => Promise<void>
}

/** Exports to a file, from where an earlier run broke off. How many items it holds. */
export const exportToFile = (
  io: Io,
  service: ExportOrigin,
  query: ExportQuery,
  target: { name: string; restart: boolean },
): Promise<number> =>
  // Two at once would write into one file.
  runAlone(`${target.name}.running`, `The export to ${target.name}`, () => writeFile(io, service, query, target))

async function writeFile(
  io: Io,
  service: ExportOrigin,
  query: ExportQuery,
  { name, restart }: { name: string; restart: boolean },
): Promise<number> {
  const file = new PartFile(name)
  const asked = `${JSON.stringify({ url: service.url, account: service.account, query })}\n`
  const position = await file.open(asked, restart)
  const progress = startProgress(io, { total: null, from: position.items })
  if (position.items > 0) progress.say(`Resuming after item ${position.items}.`)
  try {
    await run(io, service, query, { position, write: (line) => file.write(line) }, progress)
    await file.finish()
    return position.items
  } finally {
    progress.end()
    await file.close()
  }
}

/** Exports to standard output. The bar shows while that is no terminal. */
export async function exportToOutput(io: Io, service: ExportOrigin, query: ExportQuery): Promise<number> {
  const position = new Position()
  const progress = io.stdout.isTTY === true ? null : startProgress(io, { total: null })
  try {
    await run(io, service, query, { position, write: (line) => writeLine(io.stdout, line) }, progress)
    return position.items
  } finally {
    progress?.end()
  }
}

/** A stream that breaks off is taken up behind the last whole line. */
async function run(
  io: Io,
  service: ExportOrigin,
  query: ExportQuery,
  { position, write }: Sink,
  progress: Progress | null,
): Promise<void> {
  for (let breaks = 0; ;) {
    const before = position.items
    try {
      const from = position.after === null ? {} : { created_after: later(query['created_after'], position.after) }
      const items = service.export({ ...query, ...from })
      for await (const item of items) {
        if (position.has(item)) continue
        const line = JSON.stringify(item)
        await write(line)
        position.pass(item, Buffer.byteLength(line) + 1)
        progress?.show(position.items)
      }
      return
    } catch (error) {
      if (io.interrupted.aborted) throw stopped()
      breaks = position.items > before ? 1 : breaks + 1
      if (!(error instanceof Failure) || error.exit !== EXIT.unavailable || breaks === MAX_BREAKS) throw error
      progress?.say('The connection was lost. Resuming …')
      await io.sleep(backoffMs(breaks, WAITS))
    }
  }
}

const stopped = () =>
  new Failure(EXIT.interrupted, 'Stopped. If the export writes to a file, run the same command again to resume.')

/** The later of two instants. */
const later = (asked: string | string[] | undefined, after: string): string =>
  typeof asked === 'string' && Date.parse(asked) > Date.parse(after) ? asked : after
