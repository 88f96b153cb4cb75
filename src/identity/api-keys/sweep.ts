import { eraseInPages } from '../../core/database/erase-in-pages.ts'
import { sql } from '../../core/database/sql.ts'
import { shardSweep } from '../../core/queue.ts'
import { REVOKED_KEPT_MS } from './revoked.ts'

/**
 * Erases keys that were revoked long ago. A rotated key stays while its successor is there: the subscriptions that it
 * made live by the successor.
 */
export const keySweep = shardSweep('api_keys.erase', 24 * 60, (system, db) =>
  eraseInPages(
    db,
    'api_keys',
    sql('revoked_at <= :kept_since and not exists (select 1 from api_keys next where next.id = api_keys.rotated_to)', {
      kept_since: system.now() - REVOKED_KEPT_MS,
    }),
  ),
)
