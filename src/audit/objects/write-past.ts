import type { System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { inParallel } from '../../core/values/in-parallel.ts'
import { toPages } from '../pages.ts'
import type { AuditRow } from '../record.ts'
import { MAX_OBJECT_CHARACTERS, pack, type ObjectIndex, type PackedObject } from './format.ts'
import { reserveObjects, storedObjects } from './index-rows.ts'
import { putObject } from './transfer.ts'

/** A tenant with this much in one batch, some 550 accesses, gets objects at once. To move its rows later would cost more. */
export const PAST_DATABASE_CHARACTERS = 256 * 1024
const PUTS_AT_ONCE = 4

interface Written {
  /** Rows that the database gets. */
  rows: readonly AuditRow[]
  /** For the commit of the batch: from it on lists find the objects. */
  statements: Statement[]
  /** The objects that lists find after that commit. */
  objects: readonly ObjectIndex[]
}

/**
 * Writes the rows of busy tenants as objects, past the audit database. Where the bucket does not take them the database gets
 * all rows. `id` is that of the batch: the same rows under the same id make the same objects.
 */
export async function writePast(system: System, db: Database, id: string, rows: readonly AuditRow[]): Promise<Written> {
  const untouched: Written = { rows, statements: [], objects: [] }
  const { auditObjects: objects } = system
  if (objects === null) return untouched
  const busy = busyTenants(rows)
  if (busy.size === 0) return untouched
  const past = rows.filter((row) => busy.has(row.tenant_id)).sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  try {
    const packed = await inParallel(
      PUTS_AT_ONCE,
      toPages(id, past, MAX_OBJECT_CHARACTERS),
      (page): Promise<PackedObject> => {
        const text = { ...page, rows: JSON.stringify(page.rows), count: page.rows.length }
        return pack(db.shard, page.tenant_id, [text])
      },
    )
    const indexes = packed.map(({ index }) => index)
    await db.batch([reserveObjects(db, indexes)])
    await inParallel(PUTS_AT_ONCE, packed, (one) => putObject(objects, one))
    return {
      rows: rows.filter((row) => !busy.has(row.tenant_id)),
      statements: [
        storedObjects(
          db,
          indexes.map(({ key }) => key),
          system.now(),
        ),
      ],
      objects: indexes,
    }
  } catch (error) {
    system.log.error({ event: 'audit.not_written_past', shard: db.shard, rows: past.length }, error)
    return untouched
  }
}

function busyTenants(rows: readonly AuditRow[]): Set<string> {
  const sizes = new Map<string, number>()
  for (const row of rows) sizes.set(row.tenant_id, (sizes.get(row.tenant_id) ?? 0) + JSON.stringify(row).length)
  return new Set([...sizes].filter(([, size]) => size >= PAST_DATABASE_CHARACTERS).map(([tenantId]) => tenantId))
}
