import { BoundedMap } from '../values/bounded-map.ts'

/** Rows that a brief statement reads at most. */
const MAX_ROWS_READ = 20_000
/** UTF-16 units of the texts that it answers at most. */
const MAX_ANSWERED = 65_536
const MAX_REMEMBERED = 10_000

/**
 * A shared round trip is answered when the last of its statements has run. So a statement shares one only where the last
 * statement of its key read and answered little. Nobody knows what the first one of a key costs.
 */
export class BriefStatements {
  readonly #brief = new BoundedMap<string, true>(MAX_REMEMBERED)

  mayShare(key: string): boolean {
    return this.#brief.has(key)
  }

  remember(key: string, { meta, results }: D1Result): void {
    if (meta.rows_read <= MAX_ROWS_READ && answeredBy(results) <= MAX_ANSWERED) this.#brief.set(key, true)
    else this.#brief.delete(key)
  }
}

function answeredBy(rows: readonly unknown[]): number {
  let units = 0
  for (const row of rows) {
    for (const value of Object.values(row as object)) if (typeof value === 'string') units += value.length
  }
  return units
}
