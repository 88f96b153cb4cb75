import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { shardSweep } from '../../core/queue.ts'
import { DAY_MS } from '../../core/values/durations.ts'
import { rewriteSegments, segmentsToRewrite } from '../keyword/rewrite-index.ts'

/** Erasures of a day share one run, since it rewrites the whole index. */
const BETWEEN_RUNS_MS = DAY_MS

const UNDER_WAY = `select segments from erasures indexed by erasures_to_rewrite
  where status = 'erased' and segments is not null order by erased_at limit 1`
const IS_DUE = `select 1 from erasures indexed by erasures_to_rewrite where status = 'erased' and not exists (
  select 1 from erasures indexed by erasures_by_rewrite where rewrite_begun_at is not null and rewrite_begun_at > :begun_after)`
const BEGIN = `update erasures set segments = :segments, rewrite_begun_at = :now
  where status = 'erased' and segments is null and erased_at <= :now`
const END = `update erasures set status = 'completed', index_rewritten_at = :now, segments = null, stored_at = null
  where status = 'erased' and segments = :segments`

/**
 * Rewrites the keyword index once a day for the erasures that ended, so that no part of it holds a word of what they erased.
 * A run goes on where the last one stopped. An erasure that ends in between waits for the next. Answers whether there is more.
 */
export async function rewriteIndex(system: System, db: Database): Promise<boolean> {
  const segments = (await underWay(db)) ?? (await begin(system, db))
  if (segments === null) return false
  if (!(await rewriteSegments(db, new Set(JSON.parse(segments) as string[])))) return true
  await db.write(END, { segments, now: system.now() })
  return false
}

const underWay = async (db: Database): Promise<string | null> =>
  (await db.first<{ segments: string }>(UNDER_WAY))?.segments ?? null

async function begin(system: System, db: Database): Promise<string | null> {
  const now = system.now()
  if (!(await db.first(IS_DUE, { begun_after: now - BETWEEN_RUNS_MS }))) return null
  // What had ended by `now` has its last words in the segments that are read behind it.
  await db.write(BEGIN, { segments: JSON.stringify(await segmentsToRewrite(db)), now })
  return underWay(db)
}

export const rewriteSweep = shardSweep('memory.rewrite_index', 1, rewriteIndex)
