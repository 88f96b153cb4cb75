import { figuresDatabase, readFigures, type FigureRow } from '../../audit/index.ts'
import type { Config } from '../../core/config.ts'
import type { System } from '../../core/context.ts'
import { readGauges, type GaugeRow } from './gauges.ts'

/**
 * An isolate reads the rows at most once in this time. A scraper that waits at least as long between two scrapes sees no
 * total fall, whichever isolates answer it.
 */
export const ROWS_KEPT_MS = 10_000
/** A scrape that waits for the read of another one looks this often. */
const LOOK_MS = 10
/** A read that takes longer may belong to a dead request: who waits for it reads again. */
const LOST_MS = 500

export interface MetricRows {
  figures: readonly FigureRow[]
  gauges: readonly GaugeRow[]
}

interface Reading {
  at: number
  rows: MetricRows | null
  failed: boolean
}

const readings = new WeakMap<Config, Reading>()

/**
 * The rows, in one round trip. Concurrent scrapes share it, and one that failed is not kept. They look by timers of their
 * own, as no promise may pass from one request to another (docs/decisions.md).
 */
export async function readRows(system: System): Promise<MetricRows> {
  const now = system.now()
  let waitedFor: Reading | null = null
  // Of those who waited in vain for one read, the first reads again and the others wait for that.
  for (let known = fresh(system.config, now); known && known !== waitedFor; known = fresh(system.config, now)) {
    const rows = await rowsOf(known)
    if (rows) return rows
    waitedFor = known
  }
  const reading: Reading = { at: now, rows: null, failed: false }
  readings.set(system.config, reading)
  try {
    return (reading.rows = await read(system))
  } catch (error) {
    reading.failed = true
    if (readings.get(system.config) === reading) readings.delete(system.config)
    throw error
  }
}

/** The newest read, unless it is too old. */
function fresh(config: Config, now: number): Reading | null {
  const known = readings.get(config)
  return known && now >= known.at && now - known.at < ROWS_KEPT_MS ? known : null
}

/** Waits for the rows of a read; null where it fails or is lost. */
async function rowsOf(reading: Reading): Promise<MetricRows | null> {
  for (let waitedMs = 0; !reading.rows && !reading.failed && waitedMs < LOST_MS; waitedMs += LOOK_MS)
    await new Promise((resolve) => void setTimeout(resolve, LOOK_MS))
  return reading.rows
}

async function read(system: System): Promise<MetricRows> {
  const db = figuresDatabase(system)
  const [figures, gauges] = await db.batch<[FigureRow, GaugeRow]>([readFigures(db), readGauges(db)])
  return { figures, gauges }
}
