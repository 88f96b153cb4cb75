import { eraseInPages } from '../../core/database/erase-in-pages.ts'
import { anyLeftMore, shardSweep } from '../../core/queue.ts'
import { REFRESH_TTL_MS } from './token/issue-token.ts'
import { DAY_MS } from '../../core/values/durations.ts'

/** A grant without tokens is erased this long after it was made. */
const LAPSED_GRANT_MS = DAY_MS
/** An application that was deleted is erased after this long. */
const DELETED_CLIENT_MS = 30 * DAY_MS
/** One without an owner is erased this long after its last token request, or after its registration where nobody authorized it. */
const UNUSED_CLIENT_MS = 90 * DAY_MS
const UNAUTHORIZED_CLIENT_MS = 7 * DAY_MS

/** Erases what has expired: tokens, codes, then grants without either, then applications without grants. */
export const oauthSweep = shardSweep('oauth.expire', 60, (system, db) => {
  const now = system.now()
  const expired: [table: string, past: string, ...before: number[]][] = [
    ['oauth_tokens', 'expires_at <= ?', now],
    // A code stays as long as an unused token that came from it, so that a replay still ends that token.
    ['oauth_codes', 'expires_at <= ?', now - REFRESH_TTL_MS],
    [
      'oauth_grants',
      `created_at <= ? and not exists (select 1 from oauth_tokens t where t.grant_id = oauth_grants.id)
         and not exists (select 1 from oauth_codes c where c.grant_id = oauth_grants.id)`,
      now - LAPSED_GRANT_MS,
    ],
    [
      'oauth_clients',
      `(deleted_at <= ?1
          or (user_id is null and (last_used_at <= ?2 or (last_used_at is null and created_at <= ?3))))
         and not exists (select 1 from oauth_grants g where g.client_id = oauth_clients.id)`,
      now - DELETED_CLIENT_MS,
      now - UNUSED_CLIENT_MS,
      now - UNAUTHORIZED_CLIENT_MS,
    ],
  ]
  return anyLeftMore(expired, ([table, past, ...before]) => eraseInPages(db, table, past, ...before))
})
