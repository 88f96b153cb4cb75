import { expect, test } from 'vitest'
import type { Params } from '../../../src/core/database/sql.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { REPEAT_AFTER_MS } from '../../../src/memory/purge/erase.ts'
import { expirySweep } from '../../../src/memory/purge/expire.ts'
import type { PurgeMessage } from '../../../src/memory/purge/queue.ts'
import { NEVER_ERASED } from '../../../src/memory/table.ts'
import { unloadRetired } from '../../../src/memory/retirement/unload.ts'
import { countBacklogs, type BacklogKind } from '../../../src/reference/backlogs.ts'
import { travel } from '../../support/clock.ts'
import { newWriter, writerFor, type Writer } from '../../support/memory.ts'
import { purge, purgeUntil } from '../../support/purge.ts'
import { until } from '../../support/until.ts'
import { addMember, db, home, system } from '../../support/world.ts'

const TOMBSTONES: PurgeMessage = { kind: 'tombstones', shard: home }

const count = async (table: string, where: string, params: Params) =>
  (await db.first<{ n: number }>(`select count(*) as n from ${table} where ${where}`, params))?.n
const rowOf = (id: string) => db.first<any>('select * from memory_items where id = :id', { id })

const retire = (user: Writer, id: string) => user.send('POST', `/v1/memory/items/${id}/retire`)
const restore = (user: Writer, id: string) => user.send('POST', `/v1/memory/items/${id}/restore`)
const embedded = (user: Writer, id: string) =>
  until(async () => expect((await user.get(id)).body.embedding_status).toBe('completed'), { everyMs: 200 })

test('erasure leaves a retired item its row, versions, tags, grants and place, however often it runs', async () => {
  const owner = await newWriter()
  const member = await addMember(owner, 'editor')
  const { body: item } = await owner.store({
    content: 'before',
    tags: ['a', 'b'],
    visibility: 'private',
    permissions: [{ user_id: member.userId, access: 'read' }],
    context: { namespace: 'kept', conversation_id: 'c' },
    occurred_at: '2026-01-02',
  })
  await owner.send('PATCH', `/v1/memory/items/${item.id}`, { content: 'behind' })
  await retire(owner, item.id)
  const { body: gone } = await owner.store({ content: 'gone' })
  await owner.send('DELETE', `/v1/memory/items/${gone.id}`)
  const before = (await owner.get(item.id)).body
  for (let run = 0; run < 3; run++) {
    await purge(TOMBSTONES)
    travel(REPEAT_AFTER_MS)
  }
  await purgeUntil(TOMBSTONES, async () => expect(await rowOf(gone.id)).toBeNull())
  expect((await owner.get(item.id)).body).toEqual(before)
  const { row, vectors_purged_at } = await rowOf(item.id)
  expect(vectors_purged_at).toBe(Number.MAX_SAFE_INTEGER)
  const kept = ['memory_versions', 'memory_tags', 'memory_grants'].map((table) =>
    count(table, 'item_row = :row', { row }),
  )
  expect(await Promise.all(kept)).toEqual([1, 2, 1])
})

test('the purge removes the vectors of a retired item, and its rows once it is deleted', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'vectored' })
  await embedded(user, item.id)
  const vectors = system.projectVectors(user.projectId, home)
  expect(await vectors.items(10)).toEqual([item.id])
  await retire(user, item.id)
  travel(REPEAT_AFTER_MS)
  await purgeUntil(TOMBSTONES, async () => expect(await vectors.items(10)).toEqual([]))
  expect(await rowOf(item.id)).toMatchObject({ unpurged_version: null, text: 'vectored' })
  await user.send('DELETE', `/v1/memory/items/${item.id}`)
  await purgeUntil(TOMBSTONES, async () => expect(await rowOf(item.id)).toMatchObject({ namespace: '' }))
  travel(REPEAT_AFTER_MS)
  await purgeUntil(TOMBSTONES, async () => expect(await rowOf(item.id)).toBeNull())
})

test('a purge that read the item before its restore leaves the vectors of the restore', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'vectored' })
  await embedded(user, item.id)
  await retire(user, item.id)
  travel(REPEAT_AFTER_MS)
  const vectors = system.projectVectors(user.projectId, home)
  // The restore, and its embedding, come between the purge's read and its removal.
  let restored = false
  const projectVectors: typeof system.projectVectors = (project, shard) => {
    const object = system.projectVectors(project, shard)
    if (project !== user.projectId) return object
    return {
      ...object,
      remove: async (items) => {
        if (!restored) {
          restored = true
          await restore(user, item.id)
          await embedItems(system, db, [item.id])
        }
        await object.remove(items)
      },
    }
  }
  while (await unloadRetired({ ...system, projectVectors }, db)) continue
  expect(restored).toBe(true)
  await embedded(user, item.id)
  expect(await vectors.items(10)).toEqual([item.id])
  const { body } = await user.send('POST', '/api/memory/search', { query: 'vectored', mode: 'semantic' })
  expect(body.results.map(({ id }: any) => id)).toEqual([item.id])
})

test('an item that is retired again before the purge ends is purged again', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'twice' })
  await retire(user, item.id)
  await restore(user, item.id)
  expect(await rowOf(item.id)).toMatchObject({ unpurged_version: null, vectors_purged_at: null })
  await retire(user, item.id)
  expect(await rowOf(item.id)).toMatchObject({ unpurged_version: 3, vector_version: 3 })
})

test('retiring ends the lease and takes the item out of pending; an embedder that held it stores nothing for good', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'leased', context: { namespace: 'lease' } })
  await db.write(
    `update memory_items set embedding_status = 'processing', lease_id = 'req_x', lease_until = :until where id = :id`,
    { id: item.id, until: system.now() + 60_000 },
  )
  await retire(user, item.id)
  expect(await rowOf(item.id)).toMatchObject({ lease_id: null, lease_until: null, embedding_status: 'pending' })
  const { body } = await user.send('POST', '/api/memory/search', { query: 'leased', context: { namespace: 'lease' } })
  expect(body.pending).toBe(0)
  expect((await user.send('GET', '/v1/usage')).body.embeddings_pending).toBe(0)
  await embedItems(system, db, [item.id])
  expect(await rowOf(item.id)).toMatchObject({ embedding_status: 'pending', embedded_version: null })
})

test('the ttl runs on while an item is retired: past it the item is gone, and the sweep makes it a tombstone', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'brief', ttl: 30, custom_id: 'c' })
  const { body: lasting } = await user.store({ content: 'lasting', ttl: 90 })
  await retire(user, item.id)
  await retire(user, lasting.id)
  travel(30_000)
  expect((await restore(user, item.id)).status).toBe(404)
  expect((await user.get(item.id)).status).toBe(404)
  // Its custom_id is free before the sweep runs.
  const again = await user.store({ content: 'brief', custom_id: 'c' })
  expect(again.status).toBe(201)
  await until(async () => {
    await expirySweep.run(system)
    expect(await rowOf(item.id)).toMatchObject({ retired_at: null, delete_reason: 'expired', text: '' })
  })
  expect(await rowOf(lasting.id)).toMatchObject({ text: 'lasting', delete_reason: null })
  const { body: third } = await user.store({ content: 'third', ttl: 40 })
  await retire(user, third.id)
  travel(40_000)
  await until(async () => {
    await expirySweep.run(system)
    expect(await rowOf(third.id)).toMatchObject({ retired_at: null, delete_reason: 'expired' })
  })
  const [event] = await db.all<{ data: string }>(
    "select data from events where type = 'memory.deleted' and data ->> 'memory_id' = :id",
    { id: third.id },
  )
  expect(JSON.parse(event?.data ?? '{}')).toMatchObject({ reason: 'expired', version: 2 })
  expect((await restore(user, lasting.id)).status).toBe(200)
})

test('deleting a project erases its retired items and closes it', async () => {
  const user = await newWriter()
  const { body: project } = await user.send('POST', '/api/projects', { name: 'Gone', workspace_id: user.workspaceId })
  const { body: item } = await user.store({ content: 'retired', context: { project_id: project.id } })
  await retire(user, item.id)
  await user.send('DELETE', `/api/projects/${project.id}`)
  await purge({ kind: 'project', shard: home, project_id: project.id })
  expect(await rowOf(item.id)).toMatchObject({ text: '', retired_at: null, delete_reason: 'project_deleted' })
  travel(REPEAT_AFTER_MS)
  await purgeUntil({ kind: 'project', shard: home, project_id: project.id }, async () =>
    expect(await count('projects', 'id = :id and purged_at is not null', { id: project.id })).toBe(1),
  )
  expect(await rowOf(item.id)).toBeNull()
})

test('erasing a user deletes the private items that the user had retired', async () => {
  const owner = await newWriter()
  const member = await writerFor(await addMember(owner, 'editor'))
  const { body: theirs } = await member.store({ content: 'old diary', visibility: 'private' })
  const { body: shared } = await member.store({ content: 'for all' })
  await retire(member, theirs.id)
  await retire(member, shared.id)
  await purge({ kind: 'user', shard: home, tenant_id: owner.tenantId, user_id: member.userId })
  expect((await owner.get(theirs.id)).status).toBe(404)
  expect((await owner.get(shared.id)).body.status).toBe('retired')
})

const backlog = async (kind: BacklogKind): Promise<number> =>
  (await countBacklogs(system, db)).find((one) => one.kind === kind)?.waiting ?? -1

/** Other files leave items behind, and a backlog is counted to a bound. */
async function settleOthers(): Promise<void> {
  const soon = system.now() + REPEAT_AFTER_MS + 2 * 600_000
  await db.batch([
    db.statement(
      `update memory_items set vectors_purged_at = :done
       where deleted_at is not null and (vectors_purged_at is null or vectors_purged_at < :done)`,
      { done: NEVER_ERASED },
    ),
    db.statement('update memory_items set unpurged_version = null where unpurged_version is not null', {}),
    db.statement('update memory_items set expires_at = null where expires_at <= :soon', { soon }),
  ])
}

test('/ready: a retired item is a backlog of the purge until its vectors are gone, and of expiry past its ttl', async () => {
  const user = await newWriter()
  await settleOthers()
  expect(await backlog('purge')).toBe(0)
  const { body: item } = await user.store({ content: 'waits', ttl: 600 })
  await retire(user, item.id)
  expect(await backlog('purge')).toBe(1)
  travel(REPEAT_AFTER_MS)
  await purgeUntil(TOMBSTONES, async () => expect(await rowOf(item.id)).toMatchObject({ unpurged_version: null }))
  expect([await backlog('purge'), await backlog('expiry')]).toEqual([0, 0])
  travel(600_000)
  expect(await backlog('expiry')).toBe(1)
})
