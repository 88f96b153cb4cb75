import type { Http } from './http.ts'
import { linesOf } from './lines.ts'
import type { paths, ImportReport, MemoryItem, StoreMemory } from './types.ts'
import type { CallOptions } from './options.ts'

type ExportQuery = NonNullable<paths['/v1/memory/export']['get']['parameters']['query']>

/** A line of an import: what `store` takes, or an item of an export. */
export type ImportLine = StoreMemory | MemoryItem

export interface ImportOptions extends Omit<CallOptions, 'ifVersion'> {
  /** The project that all lines go to; by default the caller's own. */
  projectId?: string
  /** Lines a call, at most 5,000; by default 1,000. The service takes about 100 lines a second. */
  linesPerCall?: number
  /** After each call, with its report. Lines count over the whole import. */
  onReport?: (report: ImportReport) => void
}

/** The sums of all calls, and the first errors. */
export type ImportSummary = Omit<ImportReport, 'results' | 'errors_omitted'> & {
  lines: number
  errors: ImportReport['results']
}

const LINES_PER_CALL = 1_000
/** A call has at most 16 MiB (contract §1); the rest is for what the count leaves out. */
const MAX_CALL_BYTES = 15 * 2 ** 20
const SUMMARY_ERRORS = 50

export class Transfer {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** All items, as they come. `timeoutMs` is the longest silence. */
  export(query: ExportQuery = {}, options: CallOptions = {}): AsyncGenerator<MemoryItem, void> {
    return linesOf(this.#http, { method: 'GET', path: '/v1/memory/export', query, options })
  }

  /**
   * Stores what comes, in calls of 1,000 lines. Each call has a key of its own, and goes on where it broke off when it is
   * repeated. With an `idempotencyKey` of yours, an import of the same lines that is started again repeats nothing.
   */
  async import(
    lines: Iterable<ImportLine> | AsyncIterable<ImportLine>,
    options: ImportOptions = {},
  ): Promise<ImportSummary> {
    const { projectId, linesPerCall = LINES_PER_CALL, onReport, idempotencyKey, ...rest } = options
    const total: ImportSummary = { lines: 0, created: 0, updated: 0, failed: 0, times_kept: true, errors: [] }
    for await (const { text, count } of callsOf(lines, linesPerCall)) {
      const key = idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}-${total.lines}` }
      const { data } = await this.#http.send<ImportReport>({
        method: 'POST',
        path: '/v1/memory/import',
        query: { project_id: projectId },
        body: text,
        options: { ...rest, ...key },
      })
      const results = data.results.map((result) => ({ ...result, line: result.line + total.lines }))
      total.lines += count
      for (const sum of ['created', 'updated', 'failed'] as const) total[sum] += data[sum]
      total.times_kept &&= data.times_kept
      total.errors.push(...results.filter(({ error }) => error).slice(0, SUMMARY_ERRORS - total.errors.length))
      onReport?.({ ...data, results })
    }
    return total
  }
}

/** The lines of each call: not too many, and not too large. */
async function* callsOf(
  lines: Iterable<ImportLine> | AsyncIterable<ImportLine>,
  linesPerCall: number,
): AsyncGenerator<{ text: string; count: number }> {
  let held: string[] = []
  let bytes = 0
  const take = () => {
    const call = { text: held.join('\n'), count: held.length }
    held = []
    bytes = 0
    return call
  }
  for await (const line of lines) {
    const text = JSON.stringify(line)
    const size = new TextEncoder().encode(text).length + 1
    if (held.length > 0 && bytes + size > MAX_CALL_BYTES) yield take()
    held.push(text)
    bytes += size
    if (held.length === linesPerCall) yield take()
  }
  if (held.length > 0) yield take()
}
