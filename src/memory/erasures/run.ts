import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { eraseTombstones, IS_TOMBSTONE } from '../purge/erase.ts'
import type { ErasureRecord } from './erasure.ts'
import { forgetConversations } from './forget-conversations.ts'
import { eraseEvents } from './erase-events.ts'
import { eraseItems } from './erase-items.ts'
import { keptNames } from './kept-names.ts'
import type { ErasurePlace } from './place.ts'

/** An erasure that runs, as its row was read. */
export type Running = ErasurePlace & Pick<ErasureRecord, 'id' | 'digest' | 'requested_by' | 'emptied_at'>

type RunningRow = Omit<Running, 'tenantId' | 'projectIds'> & Pick<ErasureRecord, 'tenant_id' | 'project_ids'>

const RUNNING = `select id, tenant_id, kind, name, project_ids, digest, requested_by, emptied_at from erasures
  where id = :id and status = 'running'`

const EMPTIED = `update erasures set emptied_at = :now, kept = :kept where id = :id and emptied_at is null`

/** In its projects no row is left of what was deleted while the erasure ran or before, so none whose vectors await a purge. */
const END = `update erasures set status = 'erased', erased_at = :now, name = null
  where id = :id and status = 'running' and not exists (
    select 1 from json_each(:project_ids) c
    cross join memory_items i indexed by memory_items_tombstones on i.project_id = c.value
    where ${IS_TOMBSTONE} and i.deleted_at <= emptied_at)`

/**
 * Does a portion of an erasure: its items become tombstones, the events that name it are emptied, and it ends when no row and
 * no vector is left of what was deleted by then. Each step is safe to repeat. True where there is more to do now.
 */
export async function runErasure(system: System, db: Database, id: string): Promise<boolean> {
  const row = await db.first<RunningRow>(RUNNING, { id })
  if (!row) return false
  const erasure = { ...row, tenantId: row.tenant_id, projectIds: JSON.parse(row.project_ids) as string[] }
  if (!(await eraseItems(system, db, erasure))) return true
  if (erasure.emptied_at === null)
    await db.write(EMPTIED, { id, now: system.now(), kept: JSON.stringify(await keptNames(db, erasure)) })
  if (await eraseEvents(db, erasure)) return true
  if (await eraseTombstones(system, db, erasure.projectIds)) return true
  await db.write(END, { id, now: system.now(), project_ids: row.project_ids })
  return forgetConversations(db)
}
