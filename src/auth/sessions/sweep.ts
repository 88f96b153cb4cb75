import { eraseInPages } from '../../core/database/erase-in-pages.ts'
import type { Sweep } from '../../core/queue.ts'
import { eraseKnownDevices } from '../known-devices.ts'

const RESET_KEPT_MS = 24 * 3_600_000

/** Erases sessions and reset links some time after they expired. */
export const sessionSweep: Sweep = {
  name: 'sessions.expire',
  everyMinutes: 60,
  run: async (system) => {
    for (const shard of system.shards) {
      const db = system.database(shard)
      await eraseKnownDevices(system, db)
      await eraseInPages(db, 'password_resets', 'expires_at <= ?', system.now() - RESET_KEPT_MS)
    }
  },
}
