import type { System } from '../core/context.ts'

const GIB = 1024 ** 3
/** Warns when the audit database passes half of D1's 10 GB. */
export const AUDIT_WARNING_BYTES = 5 * GIB

export const AUDIT_WARNINGS = ['audit_database_filling', 'audit_bucket_unbound'] as const

export interface AuditWarning {
  name: (typeof AUDIT_WARNINGS)[number]
  shard: string
  detail: string
}

/** What `/ready` warns about for the audit log of a shard: its database fills up, or its rows are in an unbound bucket. */
export async function auditWarnings(
  system: Pick<System, 'auditDatabase' | 'auditObjects'>,
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
  return warnings
}

const hasObjects = async (db: ReturnType<System['auditDatabase']>): Promise<boolean> =>
  (await db.first('select 1 from audit_objects where stored_at is not null limit 1')) !== null
