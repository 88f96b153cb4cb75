import { BACKLOG_COUNTED_TO, storeBacklog } from '../../audit/index.ts'
import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { shardSweep } from '../../core/queue.ts'
import { otherModels, OUTDATED, UNEMBEDDED } from './pending-sql.ts'

/** `:dimension` is null where nobody knows that of `:model`. */
const COUNT = `
  with ${otherModels(':model', ':dimension')},
    waiting as (select project_id, count(*) as items from (
      select i.project_id from ${UNEMBEDDED} union all select i.project_id from ${OUTDATED} limit :most) group by 1)
  select p.tenant_id, sum(w.items) as waiting from waiting w cross join projects p on p.id = w.project_id group by 1`

/** Counts the items of a shard that await their embedding, up to `most`, for the series over time (contract §4). */
export async function countBacklog(
  system: System,
  db: Database,
  shard: string,
  most: number = BACKLOG_COUNTED_TO,
): Promise<void> {
  const counts = await db.all<{ tenant_id: string; waiting: number }>(COUNT, {
    model: system.embedder.model,
    dimension: system.embedder.dimension,
    most,
  })
  const counted = counts.reduce((sum, { waiting }) => sum + waiting, 0)
  await storeBacklog(system, shard, counts, counted >= most)
}

const COUNTED_EVERY_MINUTES = 5

export const backlogSweep = shardSweep('memory.count_backlog', COUNTED_EVERY_MINUTES, (system, db, shard) =>
  countBacklog(system, db, shard),
)
