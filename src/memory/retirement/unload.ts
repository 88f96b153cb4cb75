import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { removeVectors } from '../embedding/vectors.ts'
import { REPEAT_AFTER_MS } from '../purge/erase.ts'
import { PORTION_ROWS } from '../purge/tombstone.ts'
import type { ItemRecord } from '../item.ts'

type Retired = Pick<ItemRecord, 'row' | 'id' | 'project_id'> & { version: number }

const DUE = `select row, id, project_id, unpurged_version as version from memory_items
  where unpurged_version is not null and deleted_at <= :retired_before order by deleted_at limit ${PORTION_ROWS}`

/** It leaves an item alone that was restored, or retired again in a newer version. */
const MARK_UNLOADED = `update memory_items set unpurged_version = null from (
    select e.value ->> 'row' as item, e.value ->> 'version' as version from json_each(:items) e limit -1) s
  where memory_items.row = s.item and unpurged_version = s.version and retired_at is not null`

/**
 * Removes the vectors of one portion of retired items once no embedder can hold them, up to the version that it read. An item
 * that was restored since has vectors of a newer version, which stay. True where there may be more to do now.
 */
export async function unloadRetired(system: System, db: Database): Promise<boolean> {
  const due = await db.all<Retired>(DUE, { retired_before: system.now() - REPEAT_AFTER_MS })
  for (const [projectId, own] of Map.groupBy(due, (item) => item.project_id)) {
    await removeVectors(
      system,
      { shard: db.shard, projectId },
      own.map(({ id, version }) => ({ item: id, version })),
    )
  }
  const items = JSON.stringify(due.map(({ row, version }) => ({ row, version })))
  if (due.length > 0) await db.write(MARK_UNLOADED, { items })
  return due.length === PORTION_ROWS
}
