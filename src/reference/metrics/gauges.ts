import type { Database, Statement } from '../../core/database/database.ts'

/** The gauges that a sweep measures each minute, with the names of their labels. */
export const GAUGE_LABELS = {
  backlog: ['shard', 'kind'],
  /** Since when the oldest is due, in milliseconds since 1970; 0: nothing is, or nobody knows. */
  backlog_since: ['shard', 'kind'],
  database_bytes: ['shard', 'database'],
  /** Where pages are moved to a bucket: when the oldest page that is left in the database was written; 0: none is. */
  audit_page_since: ['shard'],
  queue_messages: ['queue'],
  queue_since: ['queue'],
} as const
export type GaugeFamily = keyof typeof GAUGE_LABELS

export interface Gauge {
  family: GaugeFamily
  /** In the order of `GAUGE_LABELS`, without spaces. */
  labels: readonly string[]
  value: number
}

export interface GaugeRow {
  family: string
  labels: string
  at: number
  value: number
}

const STORE = `
  insert into gauges (family, labels, at, value)
  select value ->> 0, value ->> 1, :at, value ->> 2 from json_each(:gauges) where true
  on conflict (family, labels) do update set at = excluded.at, value = excluded.value where excluded.at >= at`

/** Stores the measurements of an instant. With two sweeps at once the later instant counts. */
export async function storeGauges(db: Database, at: number, gauges: readonly Gauge[]): Promise<void> {
  await db.write(STORE, {
    at,
    gauges: JSON.stringify(gauges.map(({ family, labels, value }) => [family, labels.join(' '), value])),
  })
}

/** All gauges, for a batch with others. */
export const readGauges = (db: Database): Statement =>
  db.statement('select family, labels, at, value from gauges order by family, labels')
