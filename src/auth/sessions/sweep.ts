import { eraseInPages } from '../../core/database/erase-in-pages.ts'
import { sql } from '../../core/database/sql.ts'
import { anyLeftMore, shardSweep } from '../../core/queue.ts'
import { DEVICE_KNOWN_MS } from '../known-devices.ts'
import { DAY_MS } from '../../core/values/durations.ts'

const RESET_KEPT_MS = DAY_MS

/** Erases sessions and reset links some time after they expired. */
export const sessionSweep = shardSweep('sessions.expire', 60, (system, db) =>
  anyLeftMore(
    [
      { table: 'sessions', keptMs: DEVICE_KNOWN_MS },
      { table: 'password_resets', keptMs: RESET_KEPT_MS },
    ],
    ({ table, keptMs }) =>
      eraseInPages(db, table, sql('expires_at <= :kept_since', { kept_since: system.now() - keptMs })),
  ),
)
