import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import type { ListedKey, ObjectStore } from '../../core/ports.ts'
import { restoreObject, type Restored } from './restore-object.ts'
import { DAY_MS, MINUTE_MS } from '../../core/values/durations.ts'

/** An object without a commit may be of a mover that is still at work until it is this old. */
const SETTLED_MS = 10 * MINUTE_MS

interface Run {
  started_at: number
  after_key: string
}

/** What a run did to objects that had no row, by outcome, and the pages that left the database because an object has them. */
type Counts = Record<'objects' | 'pages_deleted' | Exclude<Restored['outcome'], 'again'>, number>

/**
 * Goes on with the run that `npm run audit-index` has asked for in this shard: enters objects that the bucket has and the index
 * lacks, such as after Time Travel. It may be broken off anywhere, and run twice at once. Answers whether there is more.
 */
export async function reindexObjects(system: System, shard: string): Promise<boolean> {
  const { auditObjects: objects } = system
  if (objects === null) return false
  const db = system.auditDatabase(shard)
  let run = await db.first<Run>(
    'select started_at, after_key from audit_reindexes where finished_at is null order by started_at limit 1',
  )
  while (run !== null && !db.isSpent) run = await reindexPortion(system, objects, db, run)
  return run !== null
}

/** Looks at the next keys of the bucket; answers where the run goes on, or null where it has ended. */
async function reindexPortion(system: System, objects: ObjectStore, db: Database, run: Run): Promise<Run | null> {
  const { keys, hasMore } = await objects.list(`${db.shard}/`, run.after_key)
  const lost = await withoutRow(db, keys, system.now() - SETTLED_MS)
  const keptSince = system.now() - system.config.auditRetentionDays * DAY_MS
  const counts: Counts = { objects: 0, restored: 0, duplicates: 0, expired: 0, unreadable: 0, pages_deleted: 0 }
  let [afterKey, isWhole] = [run.after_key, true]
  for (const { key } of keys) {
    if (db.isSpent) {
      isWhole = false
      break
    }
    if (lost.has(key)) {
      const { outcome, pagesDeleted } = await restoreObject(system, objects, db, key, keptSince)
      if (outcome === 'again') {
        isWhole = false
        break
      }
      counts[outcome] += 1
      counts.pages_deleted += pagesDeleted
    }
    counts.objects += 1
    afterKey = key
  }
  const isDone = isWhole && !hasMore
  await db.write(
    `update audit_reindexes set after_key = :after_key, finished_at = :finished_at,
       ${Object.keys(counts)
         .map((column) => `${column} = ${column} + :${column}`)
         .join(', ')}
     where started_at = :started_at and after_key = :after_key_before`,
    {
      after_key: afterKey,
      finished_at: isDone ? system.now() : null,
      ...counts,
      started_at: run.started_at,
      after_key_before: run.after_key,
    },
  )
  return isDone ? null : { ...run, after_key: afterKey }
}

/** Keys that no list finds: without a row, or named by one that was never committed and is old enough. */
async function withoutRow(db: Database, keys: readonly ListedKey[], before: number): Promise<Set<string>> {
  const rows = await db.all<{ key: string; stored_at: number | null }>(
    'select key, stored_at from audit_objects where key in (select value from json_each(:keys))',
    { keys: JSON.stringify(keys.map(({ key }) => key)) },
  )
  const known = new Map(rows.map(({ key, stored_at }) => [key, stored_at]))
  const isLost = ({ key, uploadedAt }: ListedKey): boolean =>
    !known.has(key) || (known.get(key) === null && uploadedAt < before)
  return new Set(keys.filter(isLost).map(({ key }) => key))
}
