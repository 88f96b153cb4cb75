import { eraseInPages } from '../../core/database/erase-in-pages.ts'
import type { Sweep } from '../../core/queue.ts'

/** Erases invitations that nobody took: those that are used, replaced or withdrawn go in the commit that ends them. */
export const invitationSweep: Sweep = {
  name: 'invitations.expire',
  everyMinutes: 60,
  run: async (system) => {
    for (const shard of system.shards)
      await eraseInPages(system.database(shard), 'invitations', 'expires_at <= ?', system.now())
  },
}
