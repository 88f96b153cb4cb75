import { eraseInPages } from '../core/database/erase-in-pages.ts'
import type { Sweep } from '../core/queue.ts'
import { moveOutbox } from './move.ts'

const DAY_MS = 24 * 3_600_000
/** Longer than a queue keeps a message. */
const CONSUMED_KEPT_MS = 15 * DAY_MS

export const auditSweeps: Sweep[] = [
  {
    name: 'audit.move',
    everyMinutes: 1,
    run: async (system) => {
      for (const shard of system.shards) await moveOutbox(system, shard)
    },
  },
  {
    name: 'audit.retention',
    everyMinutes: 60,
    run: async (system) => {
      const now = system.now()
      const kept = now - system.config.auditRetentionDays * DAY_MS
      const expired = [
        ['audit_pages', 'last_at', kept],
        ['usage_counts', 'at', kept],
        ['consumed', 'at', now - CONSUMED_KEPT_MS],
      ] as const
      for (const [table, column, before] of expired)
        await eraseInPages(system.auditDatabase, table, `${column} < ?`, before)
    },
  },
]
