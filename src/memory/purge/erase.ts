import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { LEASE_MS } from '../embedding/embed-sql.ts'
import { removeVectors } from '../embedding/vectors.ts'
import type { ItemRecord } from '../item.ts'
import { PORTION_ROWS } from './tombstone.ts'

/**
 * A consumer may hold the item while it is deleted. By this time it has noticed, or it has lost its lease and stored
 * its last vector.
 */
export const REPEAT_AFTER_MS = 2 * LEASE_MS

type Tombstone = Pick<ItemRecord, 'row' | 'id' | 'project_id'>

/** A row that is deleted and not retired. */
const IS_TOMBSTONE = 'deleted_at is not null and retired_at is null'

const UNPURGED = `select row, id, project_id from memory_items
  where ${IS_TOMBSTONE} and vectors_purged_at is null order by deleted_at limit ${PORTION_ROWS}`
const PURGED_ONCE = `select row, id, project_id from memory_items
  where ${IS_TOMBSTONE} and vectors_purged_at <= :purged_before order by vectors_purged_at limit ${PORTION_ROWS}`

const MARK_PURGED = `update memory_items set vectors_purged_at = :now, namespace = '', conversation_id = null,
    occurred_at = null
  where row in (select e.value from json_each(:rows) e) and ${IS_TOMBSTONE} and vectors_purged_at is null`

/** Deletes at most a portion of the rows that belong to the items in one table. */
const deleteFrom = (table: string): string => `delete from ${table} where rowid in (
  select t.rowid from json_each(:rows) e cross join ${table} t on t.item_row = e.value limit ${PORTION_ROWS}) returning item_row`
const DELETE_DEPENDENTS = ['memory_versions', 'memory_tags', 'memory_grants'].map(deleteFrom)
const DELETE_ITEMS = `delete from memory_items where row in (select e.value from json_each(:rows) e) and ${IS_TOMBSTONE}`

/**
 * Erases one portion of tombstones. Their vectors, earlier texts, tags and grants go at once. The vectors go again once
 * the lease of a slow embedder is over, since it may have stored one until then; then the rows go too. True where there
 * may be more to do now.
 */
export async function eraseTombstones(system: System, db: Database): Promise<boolean> {
  const unpurged = await db.all<Tombstone>(UNPURGED)
  await removeVectorsOf(system, db, unpurged)
  const emptied = unpurged.length === 0 || (await deleteDependents(db, rowsJson(unpurged)))
  if (emptied && unpurged.length > 0) await db.write(MARK_PURGED, { rows: rowsJson(unpurged), now: system.now() })
  const purgedOnce = await db.all<Tombstone>(PURGED_ONCE, { purged_before: system.now() - REPEAT_AFTER_MS })
  await removeVectorsOf(system, db, purgedOnce)
  if (purgedOnce.length > 0) await db.write(DELETE_ITEMS, { rows: rowsJson(purgedOnce) })
  return !emptied || unpurged.length === PORTION_ROWS || purgedOnce.length === PORTION_ROWS
}

/** False where more than one portion of rows belongs to the items: the items then wait for the next call. */
async function deleteDependents(db: Database, rows: string): Promise<boolean> {
  const deleted = await db.batch<unknown[]>(DELETE_DEPENDENTS.map((sql) => db.statement(sql, { rows })))
  return deleted.every((dependents) => dependents.length < PORTION_ROWS)
}

async function removeVectorsOf(system: System, { shard }: Database, tombstones: readonly Tombstone[]): Promise<void> {
  for (const [projectId, own] of Map.groupBy(tombstones, (item) => item.project_id)) {
    await removeVectors(
      system,
      { shard, projectId },
      own.map(({ id }) => ({ item: id })),
    )
  }
}

const rowsJson = (tombstones: readonly Tombstone[]): string => JSON.stringify(tombstones.map(({ row }) => row))
