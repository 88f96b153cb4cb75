import { eraseInPages } from '../core/database/erase-in-pages.ts'
import { sql } from '../core/database/sql.ts'
import { shardSweep } from '../core/queue.ts'
import { DEPLOYMENT } from '../limits/index.ts'

/** Erases the limits of tenants, users and keys that are gone. */
export const limitSweep = shardSweep('limits.erase', 24 * 60, (_, db) =>
  eraseInPages(
    db,
    'limit_settings',
    sql(
      `subject <> :deployment and not exists (select 1 from tenants t where t.id = limit_settings.subject)
         and not exists (select 1 from users u where u.id = limit_settings.subject and u.deleted_at is null)
         and not exists (select 1 from api_keys k where k.id = limit_settings.subject)`,
      { deployment: DEPLOYMENT },
    ),
  ),
)
