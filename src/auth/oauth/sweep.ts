import type { Sweep } from '../../core/queue.ts'
import type { System } from '../../core/context.ts'
import { eraseInPages } from '../../core/database/erase-in-pages.ts'
import { REFRESH_TTL_MS } from './token/issue-token.ts'

/** A grant without tokens is erased this long after it was made. */
const LAPSED_GRANT_MS = 24 * 3_600_000
/** An application that was deleted, or that registered itself and has no grant, is erased after this long. */
const UNUSED_CLIENT_MS = 30 * 24 * 3_600_000

/** Erases what has expired: tokens, codes, then grants without either, then applications without grants. */
export async function sweepOAuth(system: System): Promise<void> {
  const now = system.now()
  for (const shard of system.shards) {
    const db = system.database(shard)
    await eraseInPages(db, 'oauth_tokens', 'expires_at <= ?', now)
    // A code stays as long as an unused token that came from it, so that a replay still ends that token.
    await eraseInPages(db, 'oauth_codes', 'expires_at <= ?', now - REFRESH_TTL_MS)
    await eraseInPages(
      db,
      'oauth_grants',
      `created_at <= ? and not exists (select 1 from oauth_tokens t where t.grant_id = oauth_grants.id)
         and not exists (select 1 from oauth_codes c where c.grant_id = oauth_grants.id)`,
      now - LAPSED_GRANT_MS,
    )
    await eraseInPages(
      db,
      'oauth_clients',
      `(deleted_at <= ?1 or (user_id is null and created_at <= ?1))
         and not exists (select 1 from oauth_grants g where g.client_id = oauth_clients.id)`,
      now - UNUSED_CLIENT_MS,
    )
  }
}

export const oauthSweep: Sweep = { name: 'oauth.expire', everyMinutes: 60, run: sweepOAuth }
