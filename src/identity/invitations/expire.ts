import { eraseInPages } from '../../core/database/erase-in-pages.ts'
import { sql } from '../../core/database/sql.ts'
import { shardSweep } from '../../core/queue.ts'

/** Erases expired invitations. An invitation that is accepted, replaced or withdrawn goes with that commit. */
export const invitationSweep = shardSweep('invitations.expire', 60, (system, db) =>
  eraseInPages(db, 'invitations', sql('expires_at <= :now', { now: system.now() })),
)
