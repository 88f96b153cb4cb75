import { eraseInPages } from '../../core/database/erase-in-pages.ts'
import type { Sweep } from '../../core/queue.ts'

/** Ended sessions stay this long, so that a login knows the devices of earlier ones. */
const KEPT_MS = 90 * 24 * 3_600_000
const RESET_KEPT_MS = 24 * 3_600_000

/** Erases sessions and reset links some time after they expired. */
export const sessionSweep: Sweep = {
  name: 'sessions.expire',
  everyMinutes: 60,
  run: async (system) => {
    for (const shard of system.shards) {
      const db = system.database(shard)
      await eraseInPages(db, 'sessions', 'expires_at <= ?', system.now() - KEPT_MS)
      await eraseInPages(db, 'password_resets', 'expires_at <= ?', system.now() - RESET_KEPT_MS)
    }
  },
}
