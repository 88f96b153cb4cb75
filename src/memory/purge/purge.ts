import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { emptyEvents, holdsNoEventOf, type Erased } from '../../events/index.ts'
import { drainVectors } from '../embedding/vectors.ts'
import type { ItemRef } from '../item.ts'
import { forgetConversations } from '../erasures/forget-conversations.ts'
import { runErasure } from '../erasures/run.ts'
import { eraseTombstones, IS_TOMBSTONE, REPEAT_AFTER_MS } from './erase.ts'
import type { PurgeMessage } from './queue.ts'
import { unloadRetired } from '../retirement/unload.ts'
import { PORTION_ROWS, tombstone } from './tombstone.ts'

/** One message purges this many portions and then sends itself again, so that other messages get their turn. */
const MAX_PORTIONS = 10

/** Purges what the message names. True where there is more to do now. */
export async function purge(system: System, message: PurgeMessage): Promise<boolean> {
  const db = system.database(message.shard)
  const purgePortion = () => {
    if (message.kind === 'project') return purgeProject(system, db, message.project_id)
    if (message.kind === 'erasure') return runErasure(system, db, message.erasure_id)
    if (message.kind === 'workspace') return purgeWorkspace(system, db, message.workspace_id)
    return message.kind === 'user' ? purgeUser(system, db, message) : purgeDeleted(system, db)
  }
  for (let portion = 0; portion < MAX_PORTIONS && !(portion > 0 && db.isSpent); portion++)
    if (!(await purgePortion())) return false
  return true
}

/** Empties one portion of the events of what was erased. True where there may be more to do now. */
async function emptyEventsOf(system: System, db: Database, erased: Erased): Promise<boolean> {
  const fannedOutBy = system.now() - REPEAT_AFTER_MS
  return (await emptyEvents(db, erased, { rows: PORTION_ROWS, fannedOutBy })) === PORTION_ROWS
}

/** One portion of the vectors and rows of deleted items, of the vectors of retired ones, and of what ended erasures kept. */
async function purgeDeleted(system: System, db: Database): Promise<boolean> {
  const more = await eraseTombstones(system, db)
  const retired = await unloadRetired(system, db)
  return (await forgetConversations(db)) || retired || more
}

/** SQL: current and retired items. Either condition is that of partial indexes, and the two together are of none. */
const currentAndRetired = (where: string): string =>
  ['deleted_at is null', 'retired_at is not null']
    .map((status) => `select id, tenant_id, project_id from memory_items where ${where} and ${status}`)
    .join(' union all ')

const ITEMS_OF_PROJECT = `select i.* from (select id from projects where id = :project and deleted_at is not null) p
  cross join (${currentAndRetired('project_id = :project')}) i limit ${PORTION_ROWS}`

const CLOSE = `update projects set purged_at = :now where id = :erased and deleted_at <= :deleted_before and purged_at is null
  and not exists (${currentAndRetired('project_id = :erased')})
  and not exists (select 1 from memory_items where project_id = :erased and ${IS_TOMBSTONE})
  and ${holdsNoEventOf('project')}`

/**
 * Purges one portion of a deleted project: items become tombstones, then events are emptied and the vectors go. The project is
 * closed once its tombstones are erased and no embedder can hold one of its items. It announces no item, since the project
 * went whole.
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
  if (await emptyEventsOf(system, db, { kind: 'project', id: projectId })) return true
  if (!(await drainVectors(system, { shard: db.shard, projectId }))) return true
  await db.write(CLOSE, {
    erased: projectId,
    now: system.now(),
    deleted_before: system.now() - REPEAT_AFTER_MS,
  })
  return eraseTombstones(system, db, [projectId])
}

const CLOSE_WORKSPACE = `update workspaces set purged_at = :now where id = :erased and deleted_at <= :deleted_before
  and purged_at is null and ${holdsNoEventOf('workspace')}`

/** Purges one portion of a deleted workspace: the events that no project of it has. Its projects are purged by themselves. */
async function purgeWorkspace(system: System, db: Database, id: string): Promise<boolean> {
  if (await emptyEventsOf(system, db, { kind: 'workspace', id })) return true
  const now = system.now()
  await db.write(CLOSE_WORKSPACE, { erased: id, now, deleted_before: now - REPEAT_AFTER_MS })
  return false
}

const PRIVATE_ITEMS = `select * from (
  ${currentAndRetired("created_by = :user and tenant_id = :tenant and visibility = 'private'")}) limit ${PORTION_ROWS}`
const DELETE_GRANTS = `delete from memory_grants where rowid in (
  select rowid from memory_grants where user_id = :user limit ${PORTION_ROWS}) returning item_row`

const CLOSE_USER = `update users set purged_at = :now where id = :erased and deleted_at <= :deleted_before and purged_at is null
  and not exists (${currentAndRetired("created_by = :erased and tenant_id = :tenant and visibility = 'private'")})
  and not exists (select 1 from memory_grants where user_id = :erased)
  and ${holdsNoEventOf('user')}`

/**
 * Purges one portion of an erased user's private items and grants in the projects of others, and of the user's events. The
 * user is closed once none is left, and no request can store one that began before the erasure.
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
  if (await emptyEventsOf(system, db, { kind: 'user', id: user_id })) return true
  const now = system.now()
  await db.write(CLOSE_USER, { erased: user_id, tenant: tenant_id, now, deleted_before: now - REPEAT_AFTER_MS })
  return false
}
