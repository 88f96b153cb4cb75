import { eraseInPages } from '../../core/database/erase-in-pages.ts'
import { shardSweep } from '../../core/queue.ts'

/** Erases expired invitations. An invitation that is accepted, replaced or withdrawn goes with that commit. */
export const invitationSweep = shardSweep('invitations.expire', 60, (system, db) =>
  eraseInPages(db, 'invitations', 'expires_at <= ?', system.now()),
)
