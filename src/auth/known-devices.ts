import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { eraseInPages } from '../core/database/erase-in-pages.ts'

/** A device and a network stay known for this long after their session: the row of the ended session holds their hashes. */
const DEVICE_KNOWN_MS = 90 * 24 * 3_600_000

/** Erases the sessions whose device and network are no longer known. */
export const eraseKnownDevices = (system: System, db: Database): Promise<unknown> =>
  eraseInPages(db, 'sessions', 'expires_at <= ?', system.now() - DEVICE_KNOWN_MS)
