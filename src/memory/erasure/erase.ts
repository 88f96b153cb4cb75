import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { LEASE_MS } from '../embedding/embed-sql.ts'
import { PORTION } from './tombstone.ts'
import { removeVectors } from '../embedding/vectors.ts'

/** A worker that held the item when it was deleted has put its last vector by then, or has lost its lease. */
export const REPEAT_AFTER_MS = 2 * LEASE_MS

interface Grave {
  row: number
  id: string
  project_id: string
}

const FIRST = `select row, id, project_id from memory_items
  where deleted_at is not null and vectors_purged_at is null order by deleted_at limit ${PORTION}`
const SECOND = `select row, id, project_id from memory_items
  where deleted_at is not null and vectors_purged_at <= ?1 order by vectors_purged_at limit ${PORTION}`

const MARK = `update memory_items set vectors_purged_at = ?2
  where row in (select e.value from json_each(?1) e) and deleted_at is not null and vectors_purged_at is null`

/** At most a portion of one table's rows that belong to the items. */
const strip = (table: string): string => `delete from ${table} where rowid in (
  select t.rowid from json_each(?1) e cross join ${table} t on t.item_row = e.value limit ${PORTION}) returning item_row`
const STRIPS = ['memory_versions', 'memory_tags', 'memory_grants'].map(strip)
const BURY = `delete from memory_items where row in (select e.value from json_each(?1) e) and deleted_at is not null`

/**
 * Erases one portion of tombstones: their vectors at once and, since a slow embedder may put one after that, again
 * once its lease is over; then all that is left of them. True where there may be more to do now.
 */
export async function eraseTombstones(system: System, db: Database): Promise<boolean> {
  const first = await db.all<Grave>(FIRST)
  await removeAll(system, first)
  if (first.length > 0) await db.write(MARK, rowsOf(first), system.now())
  const second = await db.all<Grave>(SECOND, system.now() - REPEAT_AFTER_MS)
  await removeAll(system, second)
  const whole = second.length === 0 || (await buryAll(db, rowsOf(second)))
  return !whole || first.length === PORTION || second.length === PORTION
}

/** False where the items had more rows than one portion: they go next time. */
async function buryAll(db: Database, rows: string): Promise<boolean> {
  const stripped = await db.batch<unknown[]>(STRIPS.map((sql) => db.statement(sql, rows)))
  if (stripped.some((gone) => gone.length === PORTION)) return false
  await db.write(BURY, rows)
  return true
}

async function removeAll(system: System, graves: readonly Grave[]): Promise<void> {
  for (const [projectId, own] of Map.groupBy(graves, (grave) => grave.project_id)) {
    await removeVectors(
      system,
      projectId,
      own.map(({ id }) => ({ item: id })),
    )
  }
}

const rowsOf = (graves: readonly Grave[]): string => JSON.stringify(graves.map(({ row }) => row))
