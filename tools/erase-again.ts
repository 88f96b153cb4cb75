// `npm run erase-again`: after a restore of a main database, lets the service erase again what its receipts in the audit bucket
// say was erased (docs/restore.md). The tool asks for a run in each shard and waits; sweeps of the service do the work.
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { MINUTE_MS } from '../src/core/values/durations.ts'
import { databasesBy, type Databases } from './directory.ts'
import { helpIfAsked } from './help.ts'
import { ROOT, wrangler } from './wrangler.ts'

const HELP = `Erases again what was erased after the point in time to which a database was restored. It needs the audit bucket, which has the receipts.

  npm run erase-again

  --shard=01            only this shard (default: all shards)
  --local               use the service that runs on this computer
  --persist-to=FOLDER   folder of its data (default: .wrangler/state)`

/** The tool looks this often whether the sweeps are done. */
const LOOK_MS = 10_000
/** A service that has not looked at one receipt for this long has no bucket, or does not run. */
const SILENT_MS = 5 * MINUTE_MS

interface Run {
  after_key: string
  receipts: number
  repeated: number
  restored: number
  unreadable: number
  finished_at: number | null
}

interface Clock {
  now(): number
  sleep(ms: number): Promise<unknown>
}

/**
 * Asks for a run in a shard and answers what it has done once it has ended. A run that is under way starts over: a restored
 * database may hold it at a place that later receipts sort before.
 */
export async function eraseAgain(databases: Databases, shard: string, clock: Clock): Promise<Run> {
  await databases.write(shard, [
    `insert into erasure_repeats (started_at) select ${clock.now()}
     where not exists (select 1 from erasure_repeats where finished_at is null) on conflict (started_at) do nothing`,
    "update erasure_repeats set after_key = '', receipts = 0, repeated = 0, restored = 0, unreadable = 0 where finished_at is null",
  ])
  let [seen, seenAt] = ['', clock.now()]
  for (;;) {
    const [row] = await databases.read(
      shard,
      `select after_key, receipts, repeated, restored, unreadable, finished_at from erasure_repeats
       order by finished_at is not null, started_at desc limit 1`,
    )
    const run = row as unknown as Run
    if (run.finished_at !== null) return run
    if (run.after_key !== seen) [seen, seenAt] = [run.after_key, clock.now()]
    if (clock.now() - seenAt > SILENT_MS)
      throw new Error(
        `Shard ${shard}: no progress. Check that the bucket is bound to the service (/ready shows audit_bucket). The run stays requested: run this command again.`,
      )
    await clock.sleep(LOOK_MS)
  }
}

/** The report on one shard. */
export function reportOf(shard: string, { receipts, repeated, restored, unreadable }: Run): string {
  const lost = unreadable > 0 ? ` ${unreadable} could not be read: the log names them.` : ''
  return `Shard ${shard}: of ${receipts} receipts, ${repeated} are being erased again, and ${restored} are back in the database with nothing to erase.${lost}`
}

if (import.meta.main) {
  helpIfAsked(HELP)
  try {
    const { values } = parseArgs({
      options: {
        shard: { type: 'string' },
        local: { type: 'boolean', default: false },
        'persist-to': { type: 'string', default: join(ROOT, '.wrangler/state') },
      },
    })
    const databases = await databasesBy(values.local ? resolve(values['persist-to']) : null, wrangler)
    const { shard } = values
    if (shard !== undefined && !databases.shards.includes(shard))
      throw new Error(`Shard ${shard} does not exist. The shards are ${databases.shards.join(', ')}.`)
    for (const one of shard === undefined ? databases.shards : [shard]) {
      const run = await eraseAgain(databases, one, { now: Date.now, sleep: (ms) => setTimeout(ms) })
      console.log(reportOf(one, run))
      if (run.unreadable > 0) process.exitCode = 1
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
