import { shardSweep } from '../../core/queue.ts'
import type { projects } from '../../identity/table.ts'
import { sendPurgeMessages } from './queue.ts'
import { PORTION_ROWS } from './tombstone.ts'

const OPEN_PROJECTS = `select id from projects where deleted_at is not null and purged_at is null
  order by deleted_at limit ${PORTION_ROWS}`

/** Starts a chain for the tombstones of each shard, and one for each deleted project that is not closed yet. */
export const purgeSweep = shardSweep('memory.purge', 1, async (system, db, shard) => {
  const open = await db.all<Pick<typeof projects.$inferSelect, 'id'>>(OPEN_PROJECTS)
  await sendPurgeMessages(system, [
    { kind: 'tombstones', shard },
    ...open.map(({ id }) => ({ kind: 'project' as const, shard, project_id: id })),
  ])
})
