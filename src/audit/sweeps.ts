import { eraseInPages } from '../core/database/erase-in-pages.ts'
import { sql } from '../core/database/sql.ts'
import { anyLeftMore, shardSweep, type Sweep } from '../core/queue.ts'
import { moveOutbox } from './move-outbox.ts'
import { eraseObjects } from './objects/erase.ts'
import { movePages } from './objects/move-pages.ts'
import { reindexObjects } from './objects/reindex.ts'
import { DAY_MS } from '../core/values/durations.ts'

/** Longer than a queue keeps a message. */
const CONSUMED_KEPT_MS = 15 * DAY_MS
/** Rows by the hour, for plots. */
const HOURS_KEPT_MS = 30 * DAY_MS

export const auditSweeps: Sweep[] = [
  shardSweep('audit.move', 1, (system, _db, shard) => moveOutbox(system, shard)),
  shardSweep('audit.move_pages', 1, (system, _db, shard) => movePages(system, shard)),
  shardSweep('audit.reindex', 1, (system, _db, shard) => reindexObjects(system, shard)),
  shardSweep('audit.retention', 60, async (system, _db, shard) => {
    const now = system.now()
    const kept = now - system.config.auditRetentionDays * DAY_MS
    const expired = [
      ['audit_pages', 'last_at', kept],
      ['usage_counts', 'at', kept],
      ['request_hours', 'at', now - HOURS_KEPT_MS],
      ['embedding_backlogs', 'at', now - HOURS_KEPT_MS],
      ['consumed', 'at', now - CONSUMED_KEPT_MS],
      // Nothing reads or fills this table, except the version before during a rollout or after a rollback.
      ['page_loads', 'at', now - DAY_MS],
    ] as const
    const more = await anyLeftMore(expired, ([table, column, before]) =>
      eraseInPages(system.auditDatabase(shard), table, sql(`${column} < :before`, { before })),
    )
    return (await eraseObjects(system, shard, kept)) || more
  }),
]
