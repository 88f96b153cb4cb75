// `npm run audit-index`: lets the service enter the objects of the audit bucket that no list finds, such as after Time Travel of an
// audit database (docs/restore.md). The tool asks for a run in each shard and waits; sweeps of the service do the work.
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { MINUTE_MS } from '../src/core/values/durations.ts'
import { databasesBy, type Databases } from './directory.ts'
import { helpIfAsked } from './help.ts'
import { ROOT, wrangler } from './wrangler.ts'

const HELP = `Restores index entries for objects in the audit bucket that lists no longer find, for example after Time Travel on an audit database.

  npm run audit-index

  --shard=01            only this shard (default: all shards)
  --local               use the service that runs on this computer
  --persist-to=FOLDER   folder of its data (default: .wrangler/state)`

/** The tool looks this often whether the sweeps are done. */
const LOOK_MS = 10_000
/** A service that has not looked at one object for this long has no bucket, or does not run. */
const SILENT_MS = 5 * MINUTE_MS

const COLUMNS = 'after_key, objects, restored, duplicates, expired, unreadable, pages_deleted, finished_at'

interface Run {
  after_key: string
  objects: number
  restored: number
  duplicates: number
  expired: number
  unreadable: number
  pages_deleted: number
  finished_at: number | null
}

interface Clock {
  now(): number
  sleep(ms: number): Promise<unknown>
}

/** Asks for a run in a shard, or joins the one that is under way, and answers what it has done once it has ended. */
export async function reindex(databases: Databases, shard: string, clock: Clock): Promise<Run> {
  await databases.write(shard, [
    `insert into audit_reindexes (started_at) select ${clock.now()}
     where not exists (select 1 from audit_reindexes where finished_at is null) on conflict (started_at) do nothing`,
  ])
  let [seen, seenAt] = ['', clock.now()]
  for (;;) {
    const [row] = await databases.read(
      shard,
      `select ${COLUMNS} from audit_reindexes order by finished_at is not null, started_at desc limit 1`,
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
export function reportOf(shard: string, run: Run): string {
  const { objects, restored, duplicates, expired, unreadable, pages_deleted } = run
  const lost = unreadable > 0 ? ` ${unreadable} do not match their keys: the log names them.` : ''
  return `Shard ${shard}: of ${objects} objects, ${restored} were restored to the index, ${duplicates} have rows that lists find elsewhere, ${expired} are past their retention. ${pages_deleted} pages were deleted from the database because objects contain them.${lost}`
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
    const databases = await databasesBy(values.local ? resolve(values['persist-to']) : null, wrangler, 'AUDIT_DB')
    const { shard } = values
    if (shard !== undefined && !databases.shards.includes(shard))
      throw new Error(`Shard ${shard} does not exist. The shards are ${databases.shards.join(', ')}.`)
    for (const one of shard === undefined ? databases.shards : [shard]) {
      const run = await reindex(databases, one, { now: Date.now, sleep: (ms) => setTimeout(ms) })
      console.log(reportOf(one, run))
      if (run.unreadable > 0) process.exitCode = 1
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
