import { expect, test, vi } from 'vitest'
import { newReceiver, type Receiver } from '../support/receiver.ts'
import { addMember, newTenant } from '../support/world.ts'
import { request, subscribe } from './webhooks.ts'

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
