import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { DAY_MS, MINUTE_MS } from '../core/values/durations.ts'
import { dueOf, oldestPage } from './objects/due.ts'

const GIB = 1024 ** 3
/** Warns when the audit database passes half of D1's 10 GB. */
export const AUDIT_WARNING_BYTES = 5 * GIB

/** Sweeps move pages that are due within minutes. */
const OVERDUE_MS = 15 * MINUTE_MS

export const AUDIT_WARNINGS = ['audit_database_filling', 'audit_bucket_unbound', 'audit_bucket_failing'] as const

export interface AuditWarning {
  name: (typeof AUDIT_WARNINGS)[number]
  shard: string
  detail: string
}

/** What `/ready` warns about for the audit log of a shard: its database fills up, or its bucket is unbound or takes no objects. */
export async function auditWarnings(
  system: Pick<System, 'auditDatabase' | 'auditObjects' | 'config' | 'now'>,
  shard: string,
): Promise<AuditWarning[]> {
  const db = system.auditDatabase(shard)
  const bytes = await db.size()
  const warnings: AuditWarning[] = []
  if (bytes > AUDIT_WARNING_BYTES) {
    const remedy = system.auditObjects
      ? 'Pages arrive faster than they are moved to the bucket.'
      : 'Deploy with --audit-bucket, or shorten AUDIT_RETENTION_DAYS.'
    const detail = `It holds ${(bytes / GIB).toFixed(1)} GB of the 10 GB that D1 allows. ${remedy}`
    warnings.push({ name: 'audit_database_filling', shard, detail })
  }
  if (system.auditObjects === null && (await hasObjects(db)))
    warnings.push({
      name: 'audit_bucket_unbound',
      shard,
      detail: 'Older rows are in a bucket that is not bound to this Worker: deploy with --audit-bucket and its name.',
    })
  if (system.auditObjects !== null && (await hasOverduePages(system, db, bytes)))
    warnings.push({
      name: 'audit_bucket_failing',
      shard,
      detail:
        'Pages are not moved to the bucket: it does not take them, or not what was put is there. The log says why.',
    })
  return warnings
}

/** Pages that were due a while ago are still there, and an object has a name and was never seen in the bucket. */
async function hasOverduePages(
  { config, now }: Pick<System, 'config' | 'now'>,
  db: Database,
  bytes: number,
): Promise<boolean> {
  const keptSince = now() - config.auditRetentionDays * DAY_MS
  if (dueOf(now() - OVERDUE_MS, bytes, await oldestPage(db, keptSince)) === null) return false
  return (await db.first('select 1 from audit_objects where stored_at is null limit 1')) !== null
}

const hasObjects = async (db: Database): Promise<boolean> =>
  (await db.first('select 1 from audit_objects where stored_at is not null limit 1')) !== null
