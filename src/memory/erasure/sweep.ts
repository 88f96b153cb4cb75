import type { System } from '../../core/context.ts'
import type { Sweep } from '../../core/queue.ts'
import { sendPurgeMessages } from './queue.ts'
import { PORTION_ROWS } from './tombstone.ts'

const OPEN_PROJECTS = `select id from projects where deleted_at is not null and purged_at is null
  order by deleted_at limit ${PORTION_ROWS}`

/** Starts a chain for the tombstones of each shard, and one for each deleted project that is not closed yet. */
export async function resumePurges(system: System): Promise<void> {
  for (const shard of system.shards) {
    const projects = await system.database(shard).all<{ id: string }>(OPEN_PROJECTS)
    await sendPurgeMessages(system, [
      { kind: 'tombstones', shard },
      ...projects.map(({ id }) => ({ kind: 'project' as const, shard, project_id: id })),
    ])
  }
}

export const purgeSweep: Sweep = { name: 'memory.purge', everyMinutes: 1, run: resumePurges }
