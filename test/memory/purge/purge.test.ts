import { expect, test } from 'vitest'
import type { Params } from '../../../src/core/database/sql.ts'
import { REPEAT_AFTER_MS } from '../../../src/memory/purge/erase.ts'
import type { PurgeMessage } from '../../../src/memory/purge/queue.ts'
import { purgeSweep } from '../../../src/memory/purge/sweep.ts'
import { travel } from '../../support/clock.ts'
import { newWriter, writerFor, type Writer } from '../../support/memory.ts'
import { purge, purgeUntil } from '../../support/purge.ts'
import { until } from '../../support/until.ts'
import { addMember, db, home, system } from '../../support/world.ts'

const count = async (table: string, where: string, params: Params) =>
  (await db.first<{ n: number }>(`select count(*) as n from ${table} where ${where}`, params))?.n

const embedded = (user: Writer, id: string) =>
  until(async () => expect((await user.get(id)).body.embedding_status).toBe('completed'), { everyMs: 200 })

test('a deleted item loses its vectors at once and its rows once no embedder can hold it', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'vectored', tags: ['a', 'b'] })
  await embedded(user, item.id)
  await user.send('PATCH', `/v1/memory/items/${item.id}`, { content: 'vectored again' })
  await embedded(user, item.id)
  const vectors = system.projectVectors(user.projectId, '00')
  expect(await vectors.items(10)).toEqual([item.id])
  await user.send('DELETE', `/v1/memory/items/${item.id}`)
  await purgeUntil({ kind: 'tombstones', shard: '00' }, async () => expect(await vectors.items(10)).toEqual([]))
  expect(await count('memory_items', 'id = :id', { id: item.id })).toBe(1)
  travel(REPEAT_AFTER_MS)
  await purgeUntil({ kind: 'tombstones', shard: '00' }, async () =>
    expect(await count('memory_items', 'id = :id', { id: item.id })).toBe(0),
  )
  expect(await count('memory_tags', 'project_id = :project', { project: user.projectId })).toBe(0)
})

test('deleting a project erases its items and vectors, and closes it', async () => {
  const user = await newWriter()
  const { body: project } = await user.send('POST', '/api/projects', { name: 'Gone', workspace_id: user.workspaceId })
  const operations = Array.from({ length: 50 }, (_, n) => ({
    op: 'store',
    content: `text ${n}`,
    context: { project_id: project.id },
  }))
  const stored = await user.send('POST', '/api/memory/batch', { operations })
  await user.send('POST', '/api/memory/batch', { operations })
  await user.send('DELETE', `/api/projects/${project.id}`)
  expect((await user.get(stored.body.results[0].id)).status).toBe(404)
  await purge({ kind: 'project', shard: '00', project_id: project.id })
  expect(await count('memory_items', 'project_id = :id and deleted_at is null', { id: project.id })).toBe(0)
  travel(REPEAT_AFTER_MS)
  await purgeUntil({ kind: 'project', shard: '00', project_id: project.id }, async () =>
    expect(await count('projects', 'id = :id and purged_at is not null', { id: project.id })).toBe(1),
  )
  expect(await count('memory_items', 'project_id = :id', { id: project.id })).toBe(0)
  expect(await system.projectVectors(project.id, '00').items(10)).toEqual([])
})

test('an erased user leaves no private items and no grants behind', async () => {
  const owner = await newWriter()
  const member = await writerFor(await addMember(owner, 'editor'))
  const { body: theirs } = await member.store({ content: 'diary', visibility: 'private' })
  const { body: shared } = await member.store({ content: 'for all' })
  const { body: granted } = await owner.store({
    content: 'lent',
    visibility: 'private',
    permissions: [{ user_id: member.userId, access: 'read' }],
  })
  await purge({ kind: 'user', shard: '00', tenant_id: owner.tenantId, user_id: member.userId })
  expect((await owner.get(theirs.id)).status).toBe(404)
  expect((await owner.get(shared.id)).body.created_by).toBe(member.userId)
  expect((await owner.get(granted.id)).body.permissions).toEqual([])
})

/** The users whose purge a sweep of the home shard sends. */
async function sweptUsers(): Promise<string[]> {
  const sent: PurgeMessage[] = []
  const send: typeof system.queues.send = async (_queue, bodies) => void sent.push(...(bodies as PurgeMessage[]))
  await purgeSweep.runIn?.({ ...system, queues: { send } }, home)
  return sent.flatMap((message) => (message.kind === 'user' ? [message.user_id] : []))
}

test('a sweep purges an erased user whose message was lost, and once more when no request can hold an item', async () => {
  const owner = await newWriter()
  const member = await writerFor(await addMember(owner, 'editor'))
  const { body: diary } = await member.store({ content: 'diary', visibility: 'private' })
  travel(0)
  // As the versions before left a user whom they erased.
  await db.write('update users set deleted_at = :now where id = :user', { now: system.now(), user: member.userId })
  const message = { kind: 'user', shard: home, tenant_id: owner.tenantId, user_id: member.userId } as const
  expect(await sweptUsers()).toContain(member.userId)
  await purge(message)
  expect((await owner.get(diary.id)).status).toBe(404)
  const closed = () => count('users', 'id = :user and purged_at is not null', { user: member.userId })
  expect(await closed()).toBe(0)
  // A request that began before the erasure commits behind it.
  await db.write(`update memory_items set deleted_at = null, delete_reason = null, text = 'late' where id = :id`, {
    id: diary.id,
  })
  travel(REPEAT_AFTER_MS)
  expect(await sweptUsers()).toContain(member.userId)
  await purge(message)
  expect((await owner.get(diary.id)).status).toBe(404)
  expect(await closed()).toBe(1)
  expect(await sweptUsers()).not.toContain(member.userId)
})
