import type { System } from '../core/context.ts'

const GIB = 1024 ** 3
/** An audit database above half of the 10 GB that D1 takes is told of, long before it is full. */
export const AUDIT_WARNING_BYTES = 5 * GIB

export const AUDIT_WARNINGS = ['audit_database_filling', 'audit_bucket_unbound'] as const

export interface AuditWarning {
  name: (typeof AUDIT_WARNINGS)[number]
  shard: string
  detail: string
}

/** What `/ready` says of the audit log of a shard: it fills its database, or rows of it lie in a bucket that is not bound. */
export async function auditWarnings(
  system: Pick<System, 'auditDatabase' | 'auditObjects'>,
  shard: string,
): Promise<AuditWarning[]> {
  const db = system.auditDatabase(shard)
  const bytes = await db.size()
  const warnings: AuditWarning[] = []
  if (bytes > AUDIT_WARNING_BYTES) {
    const remedy = system.auditObjects
      ? 'Pages are not moved to the bucket as fast as they come.'
      : 'Deploy with --audit-bucket, or shorten AUDIT_RETENTION_DAYS.'
    const detail = `It has ${(bytes / GIB).toFixed(1)} GB of the 10 GB that it may have. ${remedy}`
    warnings.push({ name: 'audit_database_filling', shard, detail })
  }
  if (system.auditObjects === null && (await hasObjects(db)))
    warnings.push({
      name: 'audit_bucket_unbound',
      shard,
      detail: 'Older rows lie in a bucket that this Worker is not bound to: deploy with --audit-bucket and its name.',
    })
  return warnings
}

const hasObjects = async (db: ReturnType<System['auditDatabase']>): Promise<boolean> =>
  (await db.first('select 1 from audit_objects where stored_at is not null limit 1')) !== null
