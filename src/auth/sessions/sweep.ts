import type { Sweep } from '../../core/job.ts'

/** Ended sessions stay as long, so that a login from a known device is known as one. */
const KEPT_MS = 90 * 24 * 3_600_000
const RESET_KEPT_MS = 24 * 3_600_000
const PORTION = 500

/** Erases sessions and reset links that are long over. */
export const sessionSweep: Sweep = {
  name: 'sessions.expire',
  everyMinutes: 60,
  run: async (system) => {
    for (const shard of system.shards) {
      const db = system.database(shard)
      for (const [table, kept] of [
        ['sessions', KEPT_MS],
        ['password_resets', RESET_KEPT_MS],
      ] as const) {
        await db.write(
          `delete from ${table} where rowid in (select rowid from ${table} where expires_at <= ? limit ${PORTION})`,
          system.now() - kept,
        )
      }
    }
  },
}
