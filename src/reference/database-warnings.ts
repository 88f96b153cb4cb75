import type { System } from '../core/context.ts'

const GIB = 1024 ** 3
/** Warns when a database passes four fifths of D1's 10 GB. */
export const DATABASE_WARNING_BYTES = 8 * GIB

export const DATABASE_WARNINGS = ['database_filling', 'database_full'] as const

export interface DatabaseWarning {
  name: (typeof DATABASE_WARNINGS)[number]
  shard: string
  detail: string
}

/** What `/ready` warns about for the room in the databases of a shard. Full is what refused a commit of this isolate lately. */
export async function databaseWarnings(
  system: Pick<System, 'database' | 'auditDatabase'>,
  shard: string,
): Promise<DatabaseWarning[]> {
  const db = system.database(shard)
  const bytes = await db.size()
  const warnings: DatabaseWarning[] = []
  if (bytes > DATABASE_WARNING_BYTES) {
    const detail = `It holds ${(bytes / GIB).toFixed(1)} GB of the 10 GB that D1 allows. Close the shard to new tenants, and delete data.`
    warnings.push({ name: 'database_filling', shard, detail })
  }
  for (const [name, one] of [
    ['database', db],
    ['audit database', system.auditDatabase(shard)],
  ] as const)
    if (one.isFull)
      warnings.push({
        name: 'database_full',
        shard,
        detail: `The ${name} or the account is out of space: D1 refused a commit. Writes get 503 until data is deleted or the limit is raised.`,
      })
  return warnings
}
