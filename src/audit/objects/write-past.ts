import type { System } from '../../core/context.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import { inParallel } from '../../core/values/in-parallel.ts'
import { loadOf, MAX_LOAD_OF_STEP } from '../page-load.ts'
import { toPages } from '../pages.ts'
import type { AuditRow } from '../record.ts'
import { MAX_OBJECT_CHARACTERS, pack, type ObjectIndex, type PackedObject } from './format.ts'
import { reserveObjects, storedObjects } from './index-rows.ts'
import { putObject } from './transfer.ts'

/** A tenant with this much in one batch, some 550 accesses, gets objects at once. To move its rows later would cost more. */
export const PAST_DATABASE_CHARACTERS = 256 * 1024
/**
 * Above the rate that its database bears, a tenant with this much in one batch, some 16 accesses, gets objects too. The index of an
 * object takes the database a seventh of the time of such a page, and half of that of a page of one access.
 */
export const ABOVE_RATE_CHARACTERS = 8 * 1024
/** Tenants of a batch that get objects for the sake of the rate: the bucket is asked twice for each. */
export const MAX_ABOVE_RATE = 32
const PUTS_AT_ONCE = 4

interface Written {
  /** Rows that the database gets. */
  rows: readonly AuditRow[]
  /** For the commit of the batch: from it on lists find the objects. */
  statements: Statement[]
  /** The objects that lists find after that commit. */
  objects: readonly ObjectIndex[]
}

/** `id` is that of the batch: the same rows under the same id make the same objects. */
interface Batch {
  id: string
  /** Of the database in this step, without the batch. */
  load: number
}

/**
 * Writes the rows of busy tenants as objects, past the audit database. Where the bucket does not take them the database gets
 * all rows.
 */
export async function writePast(
  system: System,
  db: Database,
  { id, load }: Batch,
  rows: readonly AuditRow[],
): Promise<Written> {
  const untouched: Written = { rows, statements: [], objects: [] }
  const { auditObjects: objects } = system
  if (objects === null || db.isSpent) return untouched
  const busy = busyTenants(rows, load)
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

/** The largest tenants first: those that are dearer to move later, and others until the database bears the rest. */
function busyTenants(rows: readonly AuditRow[], load: number): Set<string> {
  const tenants = new Map<string, { tenantId: string; characters: number; accesses: number }>()
  for (const row of rows) {
    const tenantId = row.tenant_id
    const size = tenants.get(tenantId) ?? { tenantId, characters: 0, accesses: 0 }
    size.characters += JSON.stringify(row).length
    size.accesses += 1
    tenants.set(tenantId, size)
  }
  const busy = new Set<string>()
  let left = load + loadOf(tenants.size, rows.length)
  for (const { tenantId, characters, accesses } of [...tenants.values()].toSorted(
    (a, b) => b.characters - a.characters,
  )) {
    const isAboveRate = left > MAX_LOAD_OF_STEP && characters >= ABOVE_RATE_CHARACTERS && busy.size < MAX_ABOVE_RATE
    if (characters < PAST_DATABASE_CHARACTERS && !isAboveRate) break
    busy.add(tenantId)
    left -= loadOf(1, accesses)
  }
  return busy
}
