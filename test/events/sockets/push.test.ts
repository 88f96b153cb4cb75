/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test, vi } from 'vitest'
import { fanOut } from '../../../src/events/fan-out.ts'
import { commitEvent, happen, memoryEvent, message, publishBy } from '../../support/events.ts'
import { newReceiver } from '../../support/receiver.ts'
import { receivedBy, openSocket, reaches } from '../../support/socket.ts'
import { deliveriesOf, subscribe } from '../../support/webhooks.ts'
import { addKey, addMember, call, db, home, newTenant, system } from '../../support/world.ts'

test('a published event arrives as {id, type, channel, timestamp, data}', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  const { event_id, timestamp } = await publishBy(tenant, message(1))
  await reaches(socket, event_id)
  expect(receivedBy(socket)).toEqual([
    { id: event_id, type: 'message.new', channel: 'conversation', timestamp, data: { conversation_id: 'c-1', n: 1 } },
  ])
})

test('a socket receives the channels that it named and no other', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=conversation,deploys&token=${tenant.key}`)
  await publishBy(tenant, { type: 'offering.installed', data: {} })
  const own = await publishBy(tenant, { type: 'build.done', channel: 'deploys', data: {} })
  const last = await publishBy(tenant, message(1))
  await reaches(socket, last.event_id)
  await socket.received('build.done')
  expect(new Set(receivedBy(socket).map((one) => one.id))).toEqual(new Set([own.event_id, last.event_id]))
})

test('every socket of every member receives an event, and targets narrow that', async () => {
  const tenant = await newTenant()
  const viewer = await addMember(tenant, 'viewer')
  const mine = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  const theirs = await openSocket(`/realtime?channels=conversation&token=${viewer.key}`)
  const aimed = await publishBy(tenant, message(1, { targets: [viewer.userId] }))
  const all = await publishBy(tenant, message(2))
  await Promise.all([reaches(mine, all.event_id), reaches(theirs, all.event_id), reaches(theirs, aimed.event_id)])
  expect(receivedBy(mine).map((one) => one.id)).toEqual([all.event_id])
})

test('security 26: no event of one tenant reaches a socket of another, whatever ids it names', async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const socket = await openSocket(`/realtime?channels=conversation,memory,system&token=${theirs.key}`)
  await publishBy(mine, message(1))
  await publishBy(mine, message(2, { data: { conversation_id: 'c-1', project_id: theirs.projectId } }))
  await happen(memoryEvent(mine, { targets: [theirs.userId], readers: [theirs.userId], creator: theirs.userId }))
  await happen(memoryEvent(mine, { projectId: null, workspaceId: null, targets: [theirs.userId] }))
  const own = await publishBy(theirs, message(3))
  await reaches(socket, own.event_id)
  expect(receivedBy(socket).map((one) => one.id)).toEqual([own.event_id])
})

test('security 27: a key that is limited to a project and a namespace receives the events of those alone', async () => {
  const tenant = await newTenant()
  const other = await call('POST', '/api/projects', {
    key: tenant.key,
    body: { name: 'Other', workspace_id: tenant.workspaceId },
  })
  const limited = await addKey(tenant, {
    permissions: [{ project_id: tenant.projectId, access: 'read', namespaces: ['a'] }],
  })
  const socket = await openSocket(`/realtime?channels=memory&token=${limited.secret}`)
  await happen(memoryEvent(tenant, { projectId: other.body.id, namespace: 'a' }))
  await happen(memoryEvent(tenant, { namespace: 'b' }))
  const own = await happen(memoryEvent(tenant, { namespace: 'a' }))
  await socket.received('memory.created', (one) => one.id === own)
  expect(receivedBy(socket).map((one) => one.id)).toEqual([own])
})

test('security 27: an event of a private item reaches its creator, its readers and admins only', async () => {
  const tenant = await newTenant()
  const [creator, other] = [await addMember(tenant, 'editor'), await addMember(tenant, 'editor')]
  const [theirs, others] = await Promise.all(
    [creator, other].map(({ key }) => openSocket(`/realtime?channels=memory&token=${key}`)),
  )
  const hidden = await happen(memoryEvent(tenant, { visibility: 'private', creator: creator.userId }))
  const open = await happen(memoryEvent(tenant))
  await theirs!.received('memory.created', (one) => one.id === open)
  await others!.received('memory.created', (one) => one.id === open)
  expect(receivedBy(theirs!).map((one) => one.id)).toContain(hidden)
  expect(receivedBy(others!).map((one) => one.id)).toEqual([open])
})

test('a lost role silences a socket with the next event', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'viewer')
  const socket = await openSocket(`/realtime?channels=conversation&token=${member.key}`)
  const before = await publishBy(tenant, message(1))
  await reaches(socket, before.event_id)
  await db.write('delete from workspace_members where user_id = :user', { user: member.userId })
  const witness = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  const after = await publishBy(tenant, message(2))
  await reaches(witness, after.event_id)
  expect(receivedBy(socket).map((one) => one.id)).toEqual([before.event_id])
})

test('a queue message that comes twice is one event to the client, or a repeat with the same id', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=memory&token=${tenant.key}`)
  const id = await happen(memoryEvent(tenant))
  await fanOut(system, db, [id, id])
  await socket.received('memory.created')
  expect(new Set(receivedBy(socket).map((one) => one.id))).toEqual(new Set([id]))
})

test('a hub that cannot be reached is tried again alone: two seconds later, then by the sweep', async () => {
  const tenant = await newTenant()
  const other = await addMember(tenant, 'viewer')
  const [lost, fine] = [
    await openSocket(`/realtime?channels=memory&token=${tenant.key}`),
    await openSocket(`/realtime?channels=memory&token=${other.key}`),
  ]
  const subscription = await subscribe(other, newReceiver(), { channels: ['memory'] })
  const id = await commitEvent(memoryEvent(tenant))
  const away = { ...system.hub(tenant.routingId), push: () => Promise.reject(new Error('down')) }
  const hub = (routingId: string) => (routingId === tenant.routingId ? away : system.hub(routingId))
  const log = { info: () => {}, error: () => {} }
  const send = vi.fn<typeof system.queues.send>(async () => undefined)
  for (let round = 0; round < 2; round += 1) await fanOut({ ...system, hub, log, queues: { send } }, db, [id])
  expect(send.mock.calls.filter(([queue]) => queue === 'events')).toEqual([
    ['events', [{ ids: [id], shard: home }], { delaySeconds: 2 }],
  ])
  expect(await db.first('select unreached, settled_at from events where id = :id', { id })).toEqual({
    unreached: JSON.stringify([tenant.routingId]),
    settled_at: null,
  })
  await fine.received('memory.created')
  await db.write('delete from deliveries where subscription_id = :subscription', { subscription })
  await fanOut(system, db, [id])
  await lost.received('memory.created', (one) => one.id === id)
  const last = await happen(memoryEvent(tenant))
  await fine.received('memory.created', (one) => one.id === last)
  expect(receivedBy(fine).map((one) => one.id)).toEqual([id, last])
  expect((await deliveriesOf(subscription)).map((row) => row.event_id)).toEqual([last])
  expect(await db.first('select unreached from events where id = :id and settled_at > 0', { id })).toEqual({
    unreached: null,
  })
})

test('typing.start carries expires_at, 10 s ahead', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  const { timestamp } = await publishBy(tenant, { type: 'typing.start', data: { conversation_id: 'c-1' } })
  const typing = await socket.received('typing.start')
  expect((Date.parse(typing.data.expires_at) - Date.parse(timestamp)) / 1_000).toBeCloseTo(10, 1)
})
