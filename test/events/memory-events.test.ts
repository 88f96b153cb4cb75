/** @module-tag long */
import { expect, test } from 'vitest'
import { sql } from '../../src/core/database/sql.ts'
import { isId, timeOfId } from '../../src/core/values/ids.ts'
import { memoryEventsStatement } from '../../src/events/index.ts'
import { newReceiver, type Receiver } from '../support/receiver.ts'
import { openSocket } from '../support/socket.ts'
import { until } from '../support/until.ts'
import { request, settled, subscribe } from '../support/webhooks.ts'
import { addKey, addMember, call, db, newTenant, system, type Tenant } from '../support/world.ts'

const ctx = { ...system, db }

test('memory events are committed as a set, one for each row of the source, with ids of the usual shape', async () => {
  const { tenantId, projectId, userId } = await newTenant()
  const items = ['mem_1', 'mem_2'].map((id) => ({ id, readers: '["usr_x"]' }))
  const before = system.now()
  const [rows] = await db.batch<[{ id: string }]>([
    memoryEventsStatement(
      ctx,
      { type: 'memory.deleted', actor: 'system' },
      sql(
        `select value ->> 'id' as memory_id, :project as project_id, 'default' as namespace, 'project' as scope, 'note' as kind,
           null as conversation_id, null as occurred_at, 3 as version, 'private' as visibility, :user as creator,
           value ->> 'readers' as readers, 'expired' as reason, null as change, null as superseded_by
         from json_each(:items)`,
        { project: projectId, user: userId, items: JSON.stringify(items) },
      ),
    ),
  ])
  expect(rows).toHaveLength(2)
  for (const { id } of rows) {
    expect(isId('evt', id)).toBe(true)
    expect(timeOfId(id)).toBeGreaterThanOrEqual(before)
  }
  const stored = await db.all<{ data: string; visibility: string; readers: string; tenant_id: string }>(
    'select data, visibility, readers, tenant_id from events where project_id = :project order by data',
    { project: projectId },
  )
  expect(stored.map(({ data }) => JSON.parse(data))).toEqual(
    items.map(({ id }) => ({
      memory_id: id,
      project_id: projectId,
      namespace: 'default',
      scope: 'project',
      kind: 'note',
      version: 3,
      actor: 'system',
      reason: 'expired',
    })),
  )
  expect(stored[0]).toMatchObject({ visibility: 'private', readers: '["usr_x"]', tenant_id: tenantId })
})

test('in a tenant without subscriptions and sockets a memory event is settled by its own commit; with one of them it is not', async () => {
  const [without, subscribed, connected] = [await newTenant(), await newTenant(), await newTenant()]
  await subscribe(subscribed, newReceiver(), { channels: ['memory'] })
  const socket = await openSocket('/realtime?channels=memory', { 'X-API-Key': connected.key })
  const stampOf = async ({ projectId, key }: Tenant) => {
    const { body } = await call('POST', '/api/memory/store', { key, body: { content: { text: 'Heard?' } } })
    return db.first<{ stamped: number; settled: number }>(
      `select created_at <= fanned_out_at as stamped, settled_at > created_at as settled from events
       where project_id = :project and data ->> 'memory_id' = :id and type = 'memory.created'`,
      { project: projectId, id: String(body['id']) },
    )
  }
  expect(await stampOf(without)).toEqual({ stamped: 1, settled: 1 })
  expect(await stampOf(subscribed)).not.toEqual({ stamped: 1, settled: 1 })
  expect(await stampOf(connected)).not.toEqual({ stamped: 1, settled: 1 })
  socket.close()
})

interface Message {
  type: string
  channel: string
  data: Record<string, unknown>
}

const messagesOf = (receiver: Receiver): Message[] =>
  receiver.received.flatMap(({ body }) => (JSON.parse(body) as { events: Message[] }).events)
const typesOf = (receiver: Receiver) => new Set(messagesOf(receiver).map(({ type }) => type))

test('store, embedding, update and delete of an item send the fields of contract §5 and never the text', async () => {
  const [tenant, stranger] = [await newTenant(), await newTenant()]
  const [receiver, foreign] = [newReceiver(), newReceiver()]
  await subscribe(tenant, receiver, { channels: ['memory'] })
  await subscribe(stranger, foreign, { channels: ['memory'], filters: { project_id: tenant.projectId } })
  const text = 'The quick secret of the fox'
  const stored = await request(tenant, 'POST', '/api/memory/store', {
    content: text,
    context: { conversation_id: 'c7', namespace: 'n1' },
  })
  expect(stored.status).toBe(201)
  const at = `/v1/memory/items/${stored.body.id}`
  await until(() => expect(typesOf(receiver)).toEqual(new Set(['memory.created', 'memory.embedding_complete'])))
  await request(tenant, 'PATCH', at, { tags: ['a'] })
  await request(tenant, 'DELETE', at)
  const all = ['memory.created', 'memory.embedding_complete', 'memory.updated', 'memory.deleted']
  await until(() => expect(typesOf(receiver)).toEqual(new Set(all)))

  const facts = {
    memory_id: stored.body.id,
    project_id: tenant.projectId,
    namespace: 'n1',
    scope: 'project',
    kind: 'note',
    conversation_id: 'c7',
  }
  for (const { channel, data } of messagesOf(receiver)) {
    expect(channel).toBe('memory')
    expect(data).toMatchObject({ ...facts, version: expect.any(Number), actor: expect.any(String) })
  }
  const versionOf = (type: string) => messagesOf(receiver).find((one) => one.type === type)?.data['version']
  expect([versionOf('memory.created'), versionOf('memory.updated')]).toEqual([1, 2])
  expect(receiver.received.map(({ body }) => body).join()).not.toContain('fox')
  expect(foreign.received).toHaveLength(0)
})

test('the events of a private item go to its creator and not to other members', async () => {
  const tenant = await newTenant()
  const [creator, other] = [await addMember(tenant, 'editor'), await addMember(tenant, 'editor')]
  const [mine, theirs] = [newReceiver(), newReceiver()]
  await subscribe(creator, mine, { channels: ['memory'], events: ['memory.created', 'memory.deleted'] })
  await subscribe(other, theirs, { channels: ['memory'], events: ['memory.created', 'memory.deleted'] })
  const { body } = await request(creator, 'POST', '/api/memory/store', { content: 'mine', visibility: 'private' })
  await request(creator, 'DELETE', `/v1/memory/items/${body.id}`)
  const { body: open } = await request(creator, 'POST', '/api/memory/store', { content: 'ours' })
  await until(() => expect(messagesOf(theirs).map(({ data }) => data['memory_id'])).toEqual([open.id]))
  await until(() => expect(messagesOf(mine)).toHaveLength(3))
  expect(messagesOf(theirs)).toHaveLength(1)
})

/** The memory events that the member receives on a resume from an id. */
async function resumed(member: Tenant, lastEventId: string | undefined): Promise<unknown[]> {
  const { secret } = await addKey(member)
  const socket = await openSocket(`/realtime?channels=memory&token=${secret}&last_event_id=${lastEventId}`)
  expect(socket.messages[0]?.data).toMatchObject({ recovered: true })
  const { replayed } = socket.messages[0]!.data
  await until(() => expect(socket.messages.length).toBeGreaterThan(replayed))
  socket.close()
  return socket.messages.slice(1, 1 + replayed).map(({ data }) => data.memory_id)
}

test('resume, retry and recovery send an event only to those who may retrieve the item now', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'editor')
  const socket = await openSocket(`/realtime?channels=memory&token=${member.key}`)
  const start = socket.messages[0]?.id
  const receiver = newReceiver()
  const id = await subscribe(member, receiver, { channels: ['memory'], events: ['memory.created'] })
  const { body: item } = await request(tenant, 'POST', '/api/memory/store', { content: 'open at first' })
  const delivery = await settled(id, { status: 'delivered' })
  const change = (body: object) => request(tenant, 'PATCH', `/v1/memory/items/${item.id}`, body)
  const retry = () => request(member, 'POST', `/v1/events/deliveries/${delivery.id}/retry`)
  expect(await resumed(member, start)).toContain(item.id)

  expect((await change({ visibility: 'private' })).status).toBe(200)
  expect(await resumed(member, start)).toEqual([])
  await retry()
  await settled(id, { status: 'failed', last_error: 'access_lost' })
  await request(member, 'POST', `/v1/events/subscriptions/${id}/recover`, { since: '2020-01-01T00:00:00.000Z' })
  await settled(id, { status: 'failed', last_error: 'access_lost' })
  expect(receiver.received).toHaveLength(1)

  await change({ permissions: [{ user_id: member.userId, access: 'read' }] })
  expect(await resumed(member, start)).toContain(item.id)
  await retry()
  await settled(id, { status: 'delivered' })
  expect(receiver.received).toHaveLength(2)

  await change({ permissions: [] })
  await request(tenant, 'DELETE', `/v1/memory/items/${item.id}`)
  await db.write('delete from memory_items where id = :id', { id: item.id })
  expect(await resumed(member, start)).toEqual([])
})

test('a lost role ends resume, retry and recovery', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'viewer')
  const receiver = newReceiver()
  const id = await subscribe(member, receiver, { channels: ['memory'], events: ['memory.created'] })
  await request(tenant, 'POST', '/api/memory/store', { content: 'for all' })
  const delivery = await settled(id, { status: 'delivered' })
  await db.write('delete from workspace_members where user_id = :user', { user: member.userId })
  await request(member, 'POST', `/v1/events/deliveries/${delivery.id}/retry`)
  await settled(id, { status: 'failed', last_error: 'access_lost' })
  expect(receiver.received).toHaveLength(1)
})
