import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { drainVectors } from '../embedding/vectors.ts'
import type { ItemRef } from '../item.ts'
import { eraseTombstones, REPEAT_AFTER_MS } from './erase.ts'
import type { PurgeMessage } from './queue.ts'
import { PORTION_ROWS, tombstone } from './tombstone.ts'

/** One message purges this many portions and then sends itself again, so that other messages get their turn. */
const MAX_PORTIONS = 10

/** Purges what the message names. True where there is more to do now. */
export async function purge(system: System, message: PurgeMessage): Promise<boolean> {
  const db = system.database(message.shard)
  const purgePortion =
    message.kind === 'project'
      ? () => purgeProject(system, db, message.project_id)
      : message.kind === 'user'
        ? () => purgeUser(system, db, message)
        : () => eraseTombstones(system, db)
  for (let portion = 0; portion < MAX_PORTIONS && !(portion > 0 && db.isSpent); portion++)
    if (!(await purgePortion())) return false
  return true
}

const ITEMS_OF_PROJECT = `select i.id, i.tenant_id, i.project_id from memory_items i
  cross join projects p on p.id = i.project_id and p.deleted_at is not null
  where i.project_id = :project and i.deleted_at is null limit ${PORTION_ROWS}`

const CLOSE = `update projects set purged_at = :now where id = :project and deleted_at <= :deleted_before and purged_at is null
  and not exists (select 1 from memory_items where project_id = :project and deleted_at is null)
  and not exists (select 1 from memory_items where project_id = :project and deleted_at is not null)`

/**
 * Purges one portion of a deleted project: items become tombstones, then the vectors go. The project is closed once its
 * tombstones are erased and no embedder can hold one of its items. It announces no item, since the project went whole.
 */
async function purgeProject(system: System, db: Database, projectId: string): Promise<boolean> {
  const items = await db.all<ItemRef>(ITEMS_OF_PROJECT, { project: projectId })
  if (items.length > 0) await tombstone(system, db, items, { reason: 'project_deleted', announce: false })
  if (items.length === PORTION_ROWS) return true
  const open = await db.first(
    'select 1 from projects where id = :project and deleted_at is not null and purged_at is null',
    { project: projectId },
  )
  if (!open) return false
  if (!(await drainVectors(system, { shard: db.shard, projectId }))) return true
  await db.write(CLOSE, {
    project: projectId,
    now: system.now(),
    deleted_before: system.now() - REPEAT_AFTER_MS,
  })
  return eraseTombstones(system, db)
}

const PRIVATE_ITEMS = `select id, tenant_id, project_id from memory_items
  where created_by = :user and tenant_id = :tenant and visibility = 'private' and deleted_at is null limit ${PORTION_ROWS}`
const DELETE_GRANTS = `delete from memory_grants where rowid in (
  select rowid from memory_grants where user_id = :user limit ${PORTION_ROWS}) returning item_row`

const CLOSE_USER = `update users set purged_at = :now where id = :user and deleted_at <= :deleted_before and purged_at is null
  and not exists (select 1 from memory_items
    where created_by = :user and tenant_id = :tenant and visibility = 'private' and deleted_at is null)
  and not exists (select 1 from memory_grants where user_id = :user)`

/**
 * Purges one portion of an erased user's private items and grants in the projects of others. The user is closed once none is
 * left, and no request can store one that began before the erasure.
 */
async function purgeUser(
  system: System,
  db: Database,
  { user_id, tenant_id }: Extract<PurgeMessage, { kind: 'user' }>,
): Promise<boolean> {
  const items = await db.all<ItemRef>(PRIVATE_ITEMS, { user: user_id, tenant: tenant_id })
  if (items.length > 0) await tombstone(system, db, items, { reason: 'user_deleted', announce: true })
  const grants = await db.write(DELETE_GRANTS, { user: user_id })
  if (items.length === PORTION_ROWS || grants.length === PORTION_ROWS) return true
  const now = system.now()
  await db.write(CLOSE_USER, { user: user_id, tenant: tenant_id, now, deleted_before: now - REPEAT_AFTER_MS })
  return false
}
