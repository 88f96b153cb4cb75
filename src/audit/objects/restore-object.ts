import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import type { ObjectStore } from '../../core/ports.ts'
import { CorruptObject, indexOf, pack, tenantOf, unpack, type ObjectIndex, type PageOfObject } from './format.ts'
import { enter, reserveObjects } from './index-rows.ts'
import { putObject } from './transfer.ts'

export interface Restored {
  /**
   * `duplicates`: lists find all of its rows elsewhere. `unreadable`: it is not what its key says. `again`: a mover was faster, so
   * look once more.
   */
  outcome: 'restored' | 'duplicates' | 'expired' | 'unreadable' | 'again'
  /** Pages that left the database, because lists find their rows in objects. */
  pagesDeleted: number
}

/**
 * Enters an object that no list finds, so that each of its rows is found once. Rows that lists find elsewhere are left out. The
 * commit that shows the others deletes pages of the database that have no more than these. A row names the object in any case, so
 * that its retention erases it.
 */
export async function restoreObject(
  system: System,
  objects: ObjectStore,
  db: Database,
  key: string,
  keptSince: number,
): Promise<Restored> {
  const found = await readPages(system, objects, key)
  if (found === null) return { outcome: 'unreadable', pagesDeleted: 0 }
  const { index, pages } = found
  if (index.newest_at < keptSince) {
    await db.batch([reserveObjects(db, [index])])
    return { outcome: 'expired', pagesDeleted: 0 }
  }
  // In this order: a page that a mover takes in between is in another object by the second look, or `enter` does nothing.
  const inDatabase = await pagesOfDatabase(db, index.tenant_id, pages)
  const elsewhere = await rowsOfOthers(system, objects, db, { index, pages, keptSince })
  const own = new Set(pages.flatMap(rowIds))
  const held: string[] = []
  for (const [id, rows] of inDatabase) {
    if (rows.every(({ row_id }) => own.has(row_id) || elsewhere.has(row_id))) held.push(id)
    // This page stays, because it has more rows, so lists find all of its rows there.
    else for (const { row_id } of rows) elsewhere.add(row_id)
  }
  const missing = pages
    .map((page) => ({ ...page, rows: page.rows.filter(({ id }) => !elsewhere.has(id)) }))
    .filter(({ rows }) => rows.length > 0)
  if (missing.length === 0) {
    await db.batch([
      reserveObjects(db, [index]),
      db.statement('delete from audit_pages where id in (select value from json_each(:pages))', {
        pages: JSON.stringify(held),
      }),
    ])
    return { outcome: 'duplicates', pagesDeleted: held.length }
  }
  const isWhole = rowsIn(missing) === index.rows
  const shown = isWhole ? index : await putMissing(objects, db, index.tenant_id, missing)
  if (!(await enter(db, shown, held, system.now()))) return { outcome: 'again', pagesDeleted: 0 }
  if (!isWhole) await db.batch([reserveObjects(db, [index])])
  return { outcome: 'restored', pagesDeleted: held.length }
}

/** The pages of an object and its row of the index; null, and a line in the log, where it is not what its key says. */
async function readPages(system: System, objects: ObjectStore, key: string) {
  const body = await objects.get(key)
  try {
    const tenantId = tenantOf(key)
    if (tenantId === null || body === null) throw new CorruptObject(`${key} is not an object of the audit log`)
    const pages = [...(await unpack(key, tenantId, body))]
    if (pages.length === 0) throw new CorruptObject(`${key} has no page`)
    const index = indexOf(
      key,
      tenantId,
      pages.map(({ rows, ...page }) => ({ ...page, count: rows.length })),
      body.byteLength,
    )
    return { index, pages }
  } catch (error) {
    system.log.error({ event: 'audit.object_unreadable', alert: true, key }, error)
    return null
  }
}

/** Puts the rows that lists lack into an object of their own. */
async function putMissing(
  objects: ObjectStore,
  db: Database,
  tenantId: string,
  missing: readonly PageOfObject[],
): Promise<ObjectIndex> {
  const packed = await pack(
    db.shard,
    tenantId,
    missing.map((page) => ({ ...page, rows: JSON.stringify(page.rows), count: page.rows.length })),
  )
  await db.batch([reserveObjects(db, [packed.index])])
  await putObject(objects, packed)
  return packed.index
}

/**
 * The rows that came in one batch are in pages whose ids begin alike, however these were cut. So an object of one page has a row in
 * common only with pages of that beginning.
 */
const batchOf = ({ id }: PageOfObject, tenantId: string): string => id.slice(0, id.indexOf(tenantId) + tenantId.length)
const BATCH_OF = (id: string, tenantId: string): string =>
  `substr(${id}, 1, instr(${id}, ${tenantId}) + length(${tenantId}) - 1)`
const batchesOf = (pages: readonly PageOfObject[], tenantId: string): string =>
  JSON.stringify([...new Set(pages.map((page) => batchOf(page, tenantId)))])

interface Looked {
  index: ObjectIndex
  pages: readonly PageOfObject[]
  keptSince: number
}

/** Ids of the rows that lists find in other objects of the time. One that cannot be read shows none, so it holds up no other. */
async function rowsOfOthers(
  system: System,
  objects: ObjectStore,
  db: Database,
  { index: { key, tenant_id, first_at, newest_at }, pages, keptSince }: Looked,
): Promise<Set<string>> {
  const others = await db.all<{ key: string }>(
    `select key from audit_objects
     where tenant_id = :tenant and stored_at is not null and key <> :key and newest_at >= :since and first_at <= :newest_at
       and (pages > 1 or ${BATCH_OF('newest_id', 'tenant_id')} in (select value from json_each(:batches)))`,
    { tenant: tenant_id, key, since: Math.max(first_at, keptSince), newest_at, batches: batchesOf(pages, tenant_id) },
  )
  const ids = new Set<string>()
  for (const other of others) {
    const found = await readPages(system, objects, other.key)
    for (const page of found?.pages ?? []) for (const id of rowIds(page)) ids.add(id)
  }
  return ids
}

/** Pages of the database that came with these: their ids, and those of their rows. */
async function pagesOfDatabase(db: Database, tenantId: string, pages: readonly PageOfObject[]) {
  const rows = await db.all<{ id: string; row_id: string }>(
    `select p.id, r.value ->> 'id' as row_id from audit_pages p cross join json_each(p.rows) r
     where p.tenant_id = :tenant and ${BATCH_OF('p.id', 'p.tenant_id')} in (select value from json_each(:batches))`,
    { tenant: tenantId, batches: batchesOf(pages, tenantId) },
  )
  return Map.groupBy(rows, ({ id }) => id)
}

const rowIds = ({ rows }: PageOfObject): string[] => rows.map(({ id }) => id)
const rowsIn = (pages: readonly PageOfObject[]): number => pages.reduce((sum, { rows }) => sum + rows.length, 0)
