import { BoundedMap } from '../values/bounded-map.ts'

/** Rows that a brief statement reads at most. */
const MAX_ROWS_READ = 20_000
/** UTF-16 units of the texts that it answers at most. */
const MAX_ANSWERED = 65_536
const MAX_REMEMBERED = 10_000

/** `unknown`: the first statement of the key is on its way, or has failed. */
type Kind = 'brief' | 'other' | 'unknown'

/**
 * A shared round trip is answered when the last of its statements has run. So a statement shares one only where the last
 * statement of its key read and answered little. Nobody knows what the first one of a key costs: it shares none, and is not
 * heavy either. Those that come while nobody knows are heavy.
 */
export class BriefStatements {
  readonly #kinds = new BoundedMap<string, Kind>(MAX_REMEMBERED)

  mayShare(key: string): boolean {
    return this.#kinds.get(key) === 'brief'
  }

  /** Asked once for each statement, before it runs. */
  beginsHeavy(key: string): boolean {
    const kind = this.#kinds.get(key)
    if (kind === undefined) this.#kinds.set(key, 'unknown')
    return kind === 'other' || kind === 'unknown'
  }

  remember(key: string, { meta, results }: D1Result): void {
    const isBrief = meta.rows_read <= MAX_ROWS_READ && answeredBy(results) <= MAX_ANSWERED
    this.#kinds.set(key, isBrief ? 'brief' : 'other')
  }
}

function answeredBy(rows: readonly unknown[]): number {
  let units = 0
  for (const row of rows) {
    for (const value of Object.values(row as object)) if (typeof value === 'string') units += value.length
  }
  return units
}
