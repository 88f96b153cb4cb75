import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { shardSweep } from '../../core/queue.ts'
import type { ItemRecord } from '../item.ts'
import { filedAs, isUnfiled, readerOf, turnWordsOf } from './filing-sql.ts'
import { OUTDATE_COPIES } from './older-vectors.ts'
import { fileVectors } from './vectors.ts'

/** Of one portion, which is one call to the project's object and one to the index. */
const FILED_ROWS = 200
/** Values of its vectors, 2 MiB of them. */
const FILED_VALUES = 512 * 1024
/** Portions of one run. */
const MAX_PORTIONS = 20

interface UnfiledItem extends Pick<ItemRecord, 'row' | 'id' | 'tenant_id' | 'project_id' | 'embedding_model'> {
  version: number
  reader: string
  turn_words: number
  filed_as: string
  lease: string
}

/** A run begins at a random project, so that none waits forever behind projects whose vectors cannot be reached. */
const BEGIN = `
  select project_id from memory_items where row >= :place * (select max(row) from memory_items) order by row limit 1`

const firstProject = (where: string): string => `(
  select f.project_id from memory_items f indexed by memory_items_to_file
  where ${where} ${isUnfiled('f')} order by f.project_id limit 1)`

/** Those of the first project behind `:behind` that has some. Behind the last project comes the first. */
const UNFILED = `
  select i.row, i.id, i.tenant_id, i.project_id, i.embedding_model, i.embedded_version as version, ${readerOf('i')} as reader, ${turnWordsOf('i')} as turn_words,
    ${filedAs('i')} as filed_as, coalesce(i.lease_id, '') as lease
  from (
    select row, sum(size) over (order by row) - size as before from (
      select u.row, u.chunk_count * coalesce(u.embedding_dimension, 0) as size from memory_items u indexed by memory_items_to_file
      where u.project_id = coalesce(${firstProject('f.project_id > :behind and')}, ${firstProject('')})
        and ${isUnfiled('u')} order by u.row limit ${FILED_ROWS})) portion
  cross join memory_items i on i.row = portion.row
  where portion.before < ${FILED_VALUES}`

/** Leaves those that another lease has embedded since. */
const FILED = `
  update memory_items set filed_as = s.filed_as
  from (
    select i.row as item, e.value ->> 'filed_as' as filed_as from json_each(:items) e cross join memory_items i on i.row = e.value ->> 'row'
    where coalesce(i.lease_id, '') = e.value ->> 'lease' and i.embedded_version = e.value ->> 'version'
    limit -1) s
  where memory_items.row = s.item`

/**
 * Gives vectors their reader that an earlier version of the service stored, or wrote after a rollback, in the project's object
 * and in the index. A project whose vectors cannot be reached waits for a later run.
 */
export const filingSweep = shardSweep('memory.file_vectors', 1, async (system, db, shard) => {
  const [high = 0, low = 0] = system.random(2)
  const place = (high * 256 + low) / 65_536
  let behind = (await db.first<Pick<ItemRecord, 'project_id'>>(BEGIN, { place }))?.project_id ?? ''
  const unreached = new Set<string>()
  for (let portion = 0; portion < MAX_PORTIONS && !(portion > 0 && db.isSpent); portion++) {
    const items = await db.all<UnfiledItem>(UNFILED, { behind })
    const [first] = items
    if (!first || unreached.has(first.project_id)) return false
    try {
      await filePortion(system, db, shard, first, items)
    } catch (error) {
      system.log.error({ event: 'memory.vectors_not_filed', project_id: first.project_id, items: items.length }, error)
      behind = first.project_id
      unreached.add(behind)
    }
  }
  return true
})

async function filePortion(
  system: System,
  db: Database,
  shard: string,
  { tenant_id: tenantId, project_id: projectId }: UnfiledItem,
  items: readonly UnfiledItem[],
): Promise<void> {
  const readers = items.map(({ id, version, reader, turn_words: turnWords, embedding_model }) => ({
    item: id,
    version,
    reader,
    turnWords,
    isIndexed: embedding_model === system.embedder.model,
  }))
  await fileVectors(system, tenantId, { shard, projectId }, readers)
  const rows = items.map(({ row, version, filed_as, lease }) => ({ row, version, filed_as, lease }))
  await db.batch([
    db.statement(FILED, { items: JSON.stringify(rows) }),
    db.statement(OUTDATE_COPIES, { projects: JSON.stringify([projectId]) }),
  ])
}
