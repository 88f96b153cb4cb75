import { eraseInPages } from '../../core/database/erase-in-pages.ts'
import { sql, type Sql } from '../../core/database/sql.ts'
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
  const expired: [table: string, past: Sql][] = [
    ['oauth_tokens', sql('expires_at <= :now', { now })],
    // A code stays as long as an unused token that came from it, so that a replay still ends that token.
    ['oauth_codes', sql('expires_at <= :kept_since', { kept_since: now - REFRESH_TTL_MS })],
    [
      'oauth_grants',
      sql(
        `created_at <= :lapsed and not exists (select 1 from oauth_tokens t where t.grant_id = oauth_grants.id)
           and not exists (select 1 from oauth_codes c where c.grant_id = oauth_grants.id)`,
        { lapsed: now - LAPSED_GRANT_MS },
      ),
    ],
    [
      'oauth_clients',
      sql(
        `(deleted_at <= :deleted
            or (user_id is null and (last_used_at <= :unused or (last_used_at is null and created_at <= :unauthorized))))
           and not exists (select 1 from oauth_grants g where g.client_id = oauth_clients.id)`,
        {
          deleted: now - DELETED_CLIENT_MS,
          unused: now - UNUSED_CLIENT_MS,
          unauthorized: now - UNAUTHORIZED_CLIENT_MS,
        },
      ),
    ],
  ]
  return anyLeftMore(expired, ([table, past]) => eraseInPages(db, table, past))
})
