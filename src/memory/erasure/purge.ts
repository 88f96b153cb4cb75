import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import type { QueueConsumer, Sweep } from '../../core/queue.ts'
import { eraseTombstones, REPEAT_AFTER_MS } from './erase.ts'
import type { PurgeMessage } from '../embedding/queue.ts'
import { PORTION, tombstone, type Doomed } from './tombstone.ts'
import { drainVectors } from '../embedding/vectors.ts'

/** Portions of one message; then it sends itself again, so that others get their turn. */
const MAX_PORTIONS = 10
/** A chain ends before the sweep that would begin another, so that there is one at a time. */
const CHAIN_MS = 50_000

/** The consumer of the `purge` queue. Every portion is a commit of its own and safe to repeat. */
export const purgeConsumer: QueueConsumer = {
  async consume(system, messages) {
    for (const message of messages) {
      const body = message.body as PurgeMessage
      const until = body.until ?? system.now() + CHAIN_MS
      const more = await purge(system, body)
      if (more && system.now() < until) await system.queues.send('purge', [{ ...body, until }])
    }
  },
  /** Nothing is lost with a message: the sweep finds what is left. */
  async onDeadLetters(system, messages) {
    for (const message of messages)
      system.log.error({ event: 'purge.dead_letters', alert: true, message: message.body })
  },
}

/** True where there is more to do now. */
async function purge(system: System, message: PurgeMessage): Promise<boolean> {
  const db = system.database(message.shard)
  const step =
    message.kind === 'project'
      ? () => purgeProject(system, db, message.project_id)
      : message.kind === 'user'
        ? () => purgeUser(system, db, message)
        : () => eraseTombstones(system, db)
  for (let portion = 0; portion < MAX_PORTIONS; portion++) if (!(await step())) return false
  return true
}

const OF_PROJECT = `select i.id, i.tenant_id, i.project_id from memory_items i
  cross join projects p on p.id = i.project_id and p.deleted_at is not null
  where i.project_id = ?1 and i.deleted_at is null limit ${PORTION}`

const CLOSE = `update projects set purged_at = ?2 where id = ?1 and deleted_at <= ?3 and purged_at is null
  and not exists (select 1 from memory_items where project_id = ?1 and deleted_at is null)
  and not exists (select 1 from memory_items where project_id = ?1 and deleted_at is not null)`

/**
 * One portion of a deleted project: its items become tombstones, its vectors go, then, when no embedder can hold one
 * of its items any more and the tombstones are erased, it is closed. No event an item: the project went as a whole.
 */
export async function purgeProject(system: System, db: Database, projectId: string): Promise<boolean> {
  const items = await db.all<Doomed>(OF_PROJECT, projectId)
  if (items.length > 0) await tombstone(system, db, items, { reason: 'project_deleted', told: false })
  if (items.length === PORTION) return true
  const open = await db.first(
    'select 1 from projects where id = ?1 and deleted_at is not null and purged_at is null',
    projectId,
  )
  if (!open) return false
  if (!(await drainVectors(system, projectId))) return true
  await db.write(CLOSE, projectId, system.now(), system.now() - REPEAT_AFTER_MS)
  return eraseTombstones(system, db)
}

const OF_USER = `select id, tenant_id, project_id from memory_items
  where created_by = ?1 and tenant_id = ?2 and visibility = 'private' and deleted_at is null limit ${PORTION}`
const GRANTS_OF_USER = `delete from memory_grants where rowid in (
  select rowid from memory_grants where user_id = ?1 limit ${PORTION}) returning item_row`

/** One portion of what an erased user alone owned in others' projects: private items, and grants. */
async function purgeUser(
  system: System,
  db: Database,
  { user_id, tenant_id }: Extract<PurgeMessage, { kind: 'user' }>,
): Promise<boolean> {
  const items = await db.all<Doomed>(OF_USER, user_id, tenant_id)
  if (items.length > 0) await tombstone(system, db, items, { reason: 'user_deleted', told: true })
  const grants = await db.write(GRANTS_OF_USER, user_id)
  return items.length === PORTION || grants.length === PORTION
}

const PROJECTS_LEFT = `select id from projects where deleted_at is not null and purged_at is null order by deleted_at limit ${PORTION}`

/** Begins what no chain is working on: erasing tombstones, and deleted projects that are not closed yet. */
export async function resumePurges(system: System): Promise<void> {
  for (const shard of system.shards) {
    const projects = await system.database(shard).all<{ id: string }>(PROJECTS_LEFT)
    const messages: PurgeMessage[] = [
      { kind: 'tombstones', shard },
      ...projects.map(({ id }): PurgeMessage => ({ kind: 'project', shard, project_id: id })),
    ]
    await system.queues.send('purge', messages)
  }
}

export const purgeSweep: Sweep = { name: 'memory.purge', everyMinutes: 1, run: resumePurges }
