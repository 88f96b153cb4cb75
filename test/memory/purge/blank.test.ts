import { expect, test } from 'vitest'
import { purgeConsumer } from '../../../src/memory/purge/consumer.ts'
import { expirySweep } from '../../../src/memory/purge/expire.ts'
import type { PurgeMessage } from '../../../src/memory/purge/queue.ts'
import { travel } from '../../support/clock.ts'
import { newWriter, type Writer } from '../../support/memory.ts'
import { messageOf } from '../../support/queue-message.ts'
import { until } from '../../support/until.ts'
import { db, system } from '../../support/world.ts'

/** A word that a client put into everything that an item may hold. */
const MARK = 'quetzal'
const ITEM = {
  content: { text: `${MARK} text`, metadata: { note: MARK } },
  context: { document_id: `${MARK}-document`, session_id: `${MARK}-session`, subject: `${MARK}-subject` },
  tags: [MARK],
  custom_id: `${MARK}-id`,
}
const DELIVERED = { namespace: `${MARK}-namespace`, conversation_id: `${MARK}-conversation` }

const purge = (body: PurgeMessage) => purgeConsumer.consume(system, [messageOf(body)])

/** Columns of a tombstone in which the mark stands. */
async function marked(id: string): Promise<string[]> {
  const row = await db.first<Record<string, unknown>>('select * from memory_items where id = :id', { id })
  expect(row).toMatchObject({ deleted_at: expect.any(Number) })
  return Object.keys(row ?? {}).filter((name) => String(row?.[name]).includes(MARK))
}

const storedBy = async (user: Writer, more: Record<string, unknown> = {}): Promise<string> => {
  const { status, body } = await user.store({ ...ITEM, ...more })
  expect(status).toBe(201)
  return body.id
}

const WAYS: Record<string, (user: Writer) => Promise<string>> = {
  deleted: async (user) => {
    const id = await storedBy(user)
    await user.send('DELETE', `/v1/memory/items/${id}`)
    return id
  },
  'retired and deleted': async (user) => {
    const id = await storedBy(user)
    const retired = await user.send('POST', `/v1/memory/items/${id}/retire`, { reason: `${MARK} moved` })
    expect(retired.body).toMatchObject({ retired_reason: `${MARK} moved` })
    await user.send('DELETE', `/v1/memory/items/${id}`)
    return id
  },
  'deleted in a batch': async (user) => {
    const id = await storedBy(user)
    await user.send('POST', '/api/memory/batch', { operations: [{ op: 'delete', id }] })
    return id
  },
  'changed and deleted in one batch': async (user) => {
    const id = await storedBy(user)
    const content = { text: `${MARK} again` }
    await user.send('POST', '/api/memory/batch', {
      operations: [
        { op: 'update', id, content },
        { op: 'delete', id },
      ],
    })
    return id
  },
  'deleted in bulk': async (user) => {
    const id = await storedBy(user)
    await user.send('POST', '/v1/memory/delete', { filters: { tags: [MARK] } })
    return id
  },
  expired: async (user) => {
    const id = await storedBy(user, { ttl: 30 })
    travel(30_000)
    await expirySweep.run(system)
    return id
  },
  'expired and replaced': async (user) => {
    const id = await storedBy(user, { ttl: 30 })
    travel(30_000)
    await user.store({ content: 'new', custom_id: ITEM.custom_id })
    return id
  },
  'deleted with its project': async (user) => {
    const { body: project } = await user.send('POST', '/api/projects', { name: 'Gone', workspace_id: user.workspaceId })
    const id = await storedBy(user, { context: { ...ITEM.context, project_id: project.id } })
    await user.send('DELETE', `/api/projects/${project.id}`)
    await purge({ kind: 'project', shard: '00', project_id: project.id })
    return id
  },
  'deleted with its user': async (user) => {
    const id = await storedBy(user, { visibility: 'private' })
    await purge({ kind: 'user', shard: '00', tenant_id: user.tenantId, user_id: user.userId })
    return id
  },
}

test.each(Object.entries(WAYS))('a tombstone of an item that is %s holds nothing of it', async (_, end) => {
  expect(await marked(await end(await newWriter()))).toEqual([])
})

test('what its event needs goes with its vectors, and so do earlier texts, tags and grants', async () => {
  const user = await newWriter()
  const context = { ...ITEM.context, ...DELIVERED }
  const permissions = [{ user_id: user.userId, access: 'read' }]
  const id = await storedBy(user, { context, visibility: 'private', permissions, occurred_at: '2023-05-08' })
  await user.send('PATCH', `/v1/memory/items/${id}`, { content: { text: `${MARK} again` } })
  await user.send('DELETE', `/v1/memory/items/${id}`)
  const event = await db.first<{ data: string }>(
    "select data from events where tenant_id = :tenant and type = 'memory.deleted'",
    { tenant: user.tenantId },
  )
  expect(JSON.parse(event?.data ?? '')).toMatchObject({ memory_id: id, namespace: DELIVERED.namespace })
  const left = () =>
    db.first<{ versions: number; tags: number; grants: number }>(
      `select (select count(*) from memory_versions where item_row = i.row) as versions,
         (select count(*) from memory_tags where item_row = i.row) as tags,
         (select count(*) from memory_grants where item_row = i.row) as grants from memory_items i where id = :id`,
      { id },
    )
  await until(async () => {
    await purge({ kind: 'tombstones', shard: '00' })
    expect(await marked(id)).toEqual([])
  })
  expect(await db.first('select occurred_at from memory_items where id = :id', { id })).toEqual({ occurred_at: null })
  expect(await left()).toEqual({ versions: 0, tags: 0, grants: 0 })
})
