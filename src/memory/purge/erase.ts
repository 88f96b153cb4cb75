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
export const IS_TOMBSTONE = 'deleted_at is not null and retired_at is null'

const UNPURGED = `${IS_TOMBSTONE} and vectors_purged_at is null`
const PURGED_ONCE = `${IS_TOMBSTONE} and vectors_purged_at <= :purged_before`

const oldest = (due: string, since: string): string =>
  `select row, id, project_id from memory_items where ${due} order by ${since} limit ${PORTION_ROWS}`
const ofProjects = (due: string): string => `
  select i.row, i.id, i.project_id from json_each(:project_ids) c
  cross join memory_items i indexed by memory_items_tombstones on i.project_id = c.value and ${due} limit ${PORTION_ROWS}`

/** Those of the whole shard, or of some projects, which then wait for nobody else's. */
const DUE = {
  shard: { unpurged: oldest(UNPURGED, 'deleted_at'), purgedOnce: oldest(PURGED_ONCE, 'vectors_purged_at') },
  projects: { unpurged: ofProjects(UNPURGED), purgedOnce: ofProjects(PURGED_ONCE) },
}

/** A Worker of an earlier version leaves the speaker. */
const MARK_PURGED = `update memory_items set vectors_purged_at = :now, namespace = '', conversation_id = null,
    occurred_at = null, speaker_key = null
  where row in (select e.value from json_each(:rows) e) and ${IS_TOMBSTONE} and vectors_purged_at is null`

/** Deletes at most a portion of the rows that belong to the items in one table. */
const deleteFrom = (table: string): string => `delete from ${table} where rowid in (
  select t.rowid from json_each(:rows) e cross join ${table} t on t.item_row = e.value limit ${PORTION_ROWS}) returning item_row`
const DELETE_DEPENDENTS = ['memory_versions', 'memory_tags', 'memory_grants'].map(deleteFrom)
const DELETE_ITEMS = `delete from memory_items where row in (select e.value from json_each(:rows) e) and ${IS_TOMBSTONE}`

/**
 * Erases one portion of tombstones, of all projects of the shard or of the given ones. Their vectors, earlier texts, tags and
 * grants go at once. The vectors go again once the lease of a slow embedder is over, since it may have stored one until then;
 * then the rows go too. True where there may be more to do now.
 */
export async function eraseTombstones(
  system: System,
  db: Database,
  projectIds: readonly string[] | null = null,
): Promise<boolean> {
  const due = projectIds ? DUE.projects : DUE.shard
  const within = projectIds && { project_ids: JSON.stringify(projectIds) }
  const unpurged = await db.all<Tombstone>(due.unpurged, { ...within })
  await removeVectorsOf(system, db, unpurged)
  const emptied = unpurged.length === 0 || (await deleteDependents(db, rowsJson(unpurged)))
  if (emptied && unpurged.length > 0) await db.write(MARK_PURGED, { rows: rowsJson(unpurged), now: system.now() })
  const purgedBefore = system.now() - REPEAT_AFTER_MS
  const purgedOnce = await db.all<Tombstone>(due.purgedOnce, { ...within, purged_before: purgedBefore })
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
