import { shardSweep } from '../../core/queue.ts'
import type { RowOf } from '../../core/database/row.ts'
import type { users } from '../../auth/table.ts'
import type { projects, workspaces } from '../../identity/table.ts'
import type { erasures } from '../erasures/table.ts'
import { sendPurgeMessages } from './queue.ts'
import { PORTION_ROWS } from './tombstone.ts'

const OPEN_PROJECTS = `select id from projects where deleted_at is not null and purged_at is null
  order by deleted_at limit ${PORTION_ROWS}`

const ERASED_WORKSPACES = `select id from workspaces where deleted_at is not null and purged_at is null
  order by deleted_at limit ${PORTION_ROWS}`

const ERASED_USERS = `select id, tenant_id from users where deleted_at is not null and purged_at is null
  order by deleted_at limit ${PORTION_ROWS}`

const RUNNING_ERASURES = `select id from erasures indexed by erasures_running where status = 'running' limit ${PORTION_ROWS}`

/**
 * Starts a chain for the tombstones of each shard, one for each deleted project or workspace and each erased user that is not
 * closed yet, and one for each erasure that runs.
 */
export const purgeSweep = shardSweep('memory.purge', 1, async (system, db, shard) => {
  const open = await db.all<RowOf<typeof projects, 'id'>>(OPEN_PROJECTS)
  const workspacesToPurge = await db.all<RowOf<typeof workspaces, 'id'>>(ERASED_WORKSPACES)
  const erased = await db.all<RowOf<typeof users, 'id' | 'tenant_id'>>(ERASED_USERS)
  const running = await db.all<RowOf<typeof erasures, 'id'>>(RUNNING_ERASURES)
  await sendPurgeMessages(system, [
    { kind: 'tombstones', shard },
    ...open.map(({ id }) => ({ kind: 'project' as const, shard, project_id: id })),
    ...workspacesToPurge.map(({ id }) => ({ kind: 'workspace' as const, shard, workspace_id: id })),
    ...running.map(({ id }) => ({ kind: 'erasure' as const, shard, erasure_id: id })),
    ...erased.map(({ id, tenant_id }) => ({ kind: 'user' as const, shard, tenant_id, user_id: id })),
  ])
})
