import { expect, test, vi } from 'vitest'
import { newReceiver, type Receiver } from '../support/receiver.ts'
import { openSocket } from '../support/socket.ts'
import { addKey, addMember, db, newTenant, type Tenant } from '../support/world.ts'
import { request, settled, subscribe } from './webhooks.ts'

interface Message {
  type: string
  channel: string
  data: Record<string, unknown>
}

const messagesOf = (receiver: Receiver): Message[] =>
  receiver.received.flatMap(({ body }) => (JSON.parse(body) as { events: Message[] }).events)
const typesOf = (receiver: Receiver) => new Set(messagesOf(receiver).map(({ type }) => type))

test('store, embedding, update and delete of an item are told with the fields of contract §5 and never the text', async () => {
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
  await vi.waitFor(
    () => expect(typesOf(receiver)).toEqual(new Set(['memory.created', 'memory.embedding_complete'])),
    8_000,
  )
  await request(tenant, 'PATCH', at, { tags: ['a'] })
  await request(tenant, 'DELETE', at)
  const all = ['memory.created', 'memory.embedding_complete', 'memory.updated', 'memory.deleted']
  await vi.waitFor(() => expect(typesOf(receiver)).toEqual(new Set(all)), 8_000)

  const facts = {
    memory_id: stored.body.id,
    project_id: tenant.projectId,
    namespace: 'n1',
    scope: 'project',
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
}, 20_000)

test('a private item is told to its creator, and not to other members', async () => {
  const tenant = await newTenant()
  const [creator, other] = [await addMember(tenant, 'editor'), await addMember(tenant, 'editor')]
  const [mine, theirs] = [newReceiver(), newReceiver()]
  await subscribe(creator, mine, { channels: ['memory'], events: ['memory.created', 'memory.deleted'] })
  await subscribe(other, theirs, { channels: ['memory'], events: ['memory.created', 'memory.deleted'] })
  const { body } = await request(creator, 'POST', '/api/memory/store', { content: 'mine', visibility: 'private' })
  await request(creator, 'DELETE', `/v1/memory/items/${body.id}`)
  const { body: open } = await request(creator, 'POST', '/api/memory/store', { content: 'ours' })
  await vi.waitFor(() => expect(messagesOf(theirs).map(({ data }) => data['memory_id'])).toEqual([open.id]), 8_000)
  await vi.waitFor(() => expect(messagesOf(mine)).toHaveLength(3), 8_000)
  expect(messagesOf(theirs)).toHaveLength(1)
}, 20_000)

/** What the member hears of items by coming back from an id. */
async function resumed(member: Tenant, lastEventId: string | undefined): Promise<unknown[]> {
  const { secret } = await addKey(member)
  const socket = await openSocket(`/realtime?channels=memory&token=${secret}&last_event_id=${lastEventId}`)
  expect(socket.messages[0]?.data).toMatchObject({ recovered: true })
  const { replayed } = socket.messages[0]!.data
  await vi.waitFor(() => expect(socket.messages.length).toBeGreaterThan(replayed))
  socket.close()
  return socket.messages.slice(1, 1 + replayed).map(({ data }) => data.memory_id)
}

test('what is sent again is judged by who may retrieve the item now: resume, retry, recovery', async () => {
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
  await db.write('delete from memory_items where id = ?', item.id)
  expect(await resumed(member, start)).toEqual([])
}, 20_000)

test('a lost role ends what is sent again', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'viewer')
  const receiver = newReceiver()
  const id = await subscribe(member, receiver, { channels: ['memory'], events: ['memory.created'] })
  await request(tenant, 'POST', '/api/memory/store', { content: 'for all' })
  const delivery = await settled(id, { status: 'delivered' })
  await db.write('delete from workspace_members where user_id = ?', member.userId)
  await request(member, 'POST', `/v1/events/deliveries/${delivery.id}/retry`)
  await settled(id, { status: 'failed', last_error: 'access_lost' })
  expect(receiver.received).toHaveLength(1)
})
