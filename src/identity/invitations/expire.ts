import { eraseInPages } from '../../core/database/erase-in-pages.ts'
import type { Sweep } from '../../core/queue.ts'

/** Erases expired invitations. An invitation that is accepted, replaced or withdrawn goes with that commit. */
export const invitationSweep: Sweep = {
  name: 'invitations.expire',
  everyMinutes: 60,
  run: async (system) => {
    for (const shard of system.shards)
      await eraseInPages(system.database(shard), 'invitations', 'expires_at <= ?', system.now())
  },
}
