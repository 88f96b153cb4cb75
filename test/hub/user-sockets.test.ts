/** @module-tag long */
import { env } from 'cloudflare:workers'
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test'
import { expect, test } from 'vitest'
import type { Frame } from '../../src/core/ports.ts'
import { MAX_FRAME_BYTES } from '../../src/hub/client-message.ts'
import { verifyPresence } from '../../src/events/sockets/sweep.ts'
import { atTime, travel } from '../support/clock.ts'
import { until } from '../support/until.ts'
import { addKey, db, newTenant, system, type Tenant } from '../support/world.ts'
import { openSocket, requestSocket, type TestSocket } from '../support/socket.ts'

const HOUR_MS = 3_600_000

async function connected(options: { expiresAt?: number } = {}) {
  const tenant = await newTenant()
  const key = options.expiresAt ? await addKey(tenant, options) : { id: tenant.keyId, secret: tenant.key }
  const socket = await openSocket(`/realtime?channels=conversation&token=${key.secret}`)
  const [connectionId] = await connectionsOf(tenant)
  if (!connectionId) throw new Error('no presence')
  return { tenant, key, socket, connectionId, hub: system.hub(tenant.routingId) }
}

const connectionsOf = async (tenant: Tenant) =>
  (
    await db.all<{ connection_id: string }>('select connection_id from presence where user_id = :user', {
      user: tenant.userId,
    })
  ).map((row) => row.connection_id)

const frame = (n: number, connections: string[]): Frame => ({
  id: `evt_${n}`,
  text: JSON.stringify({ id: `evt_${n}`, type: 'message.new' }),
  connections,
})
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const eventsOf = (socket: TestSocket) =>
  socket.messages.filter((one) => one.type === 'message.new').map((one) => one.id)
const closedWith = (socket: TestSocket, code: number) => until(() => expect(socket.closed?.code).toBe(code))
const stubOf = (tenant: Tenant) => env.USER_HUB.getByName(tenant.routingId)

test('a push reaches the connections that it names, in order, and no other', async () => {
  const { socket, connectionId, hub, tenant } = await connected()
  const other = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  await hub.push([frame(1, [connectionId]), frame(2, [connectionId])])
  await until(() => expect(eventsOf(socket)).toEqual(['evt_1', 'evt_2']))
  expect(eventsOf(other)).toEqual([])
})

test('a push to a connection that is gone erases its presence', async () => {
  const { hub, tenant } = await connected()
  await db.write(
    `insert into presence (connection_id, tenant_id, user_id, routing_id, credential_id, scopes, channels, created_at, verified_at)
     values ('req_gone', :tenant, :user, :routing, 'key_x', '[]', '[]', 0, 0)`,
    { tenant: tenant.tenantId, user: tenant.userId, routing: tenant.routingId },
  )
  await hub.push([frame(1, ['req_gone'])])
  await until(async () => expect(await connectionsOf(tenant)).not.toContain('req_gone'))
})

test('a frame of 64 KiB is accepted, one byte more closes with 4413', async () => {
  const { socket } = await connected()
  socket.send('x'.repeat(MAX_FRAME_BYTES))
  socket.send('{ "type": "ping" }')
  await socket.received('pong')
  expect(socket.closed).toBeNull()
  socket.send('x'.repeat(MAX_FRAME_BYTES + 1))
  await closedWith(socket, 4413)
})

test('a hundred messages in ten seconds are accepted, one more closes with 4429', async () => {
  const { socket } = await connected()
  travel(0)
  for (const _ of range(0, 99)) socket.send('{"type":"unknown"}')
  socket.send('{ "type": "ping" }')
  await socket.received('pong')
  expect(socket.closed).toBeNull()
  socket.send('{"type":"unknown"}')
  await closedWith(socket, 4429)
})

test('pings that the platform answers do not count as a flood', async () => {
  const { socket } = await connected()
  for (const _ of range(0, 150)) socket.send('{"type":"ping"}')
  await until(() => expect(socket.messages.filter((one) => one.type === 'pong')).toHaveLength(150))
  expect(socket.closed).toBeNull()
})

test('a client that acknowledges and falls 1,000 events behind is closed with 1013', async () => {
  const { socket, connectionId, hub } = await connected()
  socket.send({ type: 'ack', received: 1 })
  socket.send('{ "type": "ping" }')
  await socket.received('pong')
  await hub.push(range(0, 1_000).map((n) => frame(n, [connectionId])))
  await until(() => expect(eventsOf(socket)).toHaveLength(1_000))
  socket.send({ type: 'ack', received: 601 })
  socket.send('{ "type": "ping" }')
  await until(() => expect(socket.messages.filter((one) => one.type === 'pong')).toHaveLength(2))
  await hub.push(range(1_000, 1_700).map((n) => frame(n, [connectionId])))
  await closedWith(socket, 1013)
  expect(eventsOf(socket)).toHaveLength(1_600)
})

test('a client that never acknowledges is never behind', async () => {
  const { socket, connectionId, hub } = await connected()
  await hub.push(range(0, 1_500).map((n) => frame(n, [connectionId])))
  await until(() => expect(eventsOf(socket)).toHaveLength(1_500))
  expect(socket.closed).toBeNull()
})

// The runtime takes ten seconds to evict an object whose sockets hibernate: the two wait together.
test.concurrent('an evicted hub keeps its sockets and what they acknowledged', async () => {
  const { tenant, socket, connectionId, hub } = await connected()
  socket.send({ type: 'ack', received: 1 })
  await hub.push(range(0, 600).map((n) => frame(n, [connectionId])))
  await until(() => expect(eventsOf(socket)).toHaveLength(600))
  await evictDurableObject(stubOf(tenant), { webSockets: 'hibernate' })
  socket.send('{"type":"ping"}')
  await socket.received('pong')
  expect(await hub.missingSockets([connectionId])).toEqual([])
  await hub.push(range(600, 1_200).map((n) => frame(n, [connectionId])))
  await closedWith(socket, 1013)
  expect(eventsOf(socket)).toHaveLength(1_000)
})

test.concurrent('security 46: a denial closes the sockets of an evicted hub too', async () => {
  const { tenant, key, socket, hub } = await connected()
  await evictDurableObject(stubOf(tenant), { webSockets: 'hibernate' })
  await hub.deny({ ids: ['key_of_another'] })
  expect(socket.closed).toBeNull()
  await hub.deny({ ids: [key.id] })
  await closedWith(socket, 4401)
})

test('security 46: a revoked credential closes its sockets at once with 4401, and no other', async () => {
  const { tenant, key, socket, hub } = await connected()
  const other = await openSocket(`/realtime?channels=conversation&token=${(await addKey(tenant)).secret}`)
  await hub.deny({ ids: [key.id] })
  await closedWith(socket, 4401)
  expect(other.closed).toBeNull()
})

test('a credential that expires closes its sockets with 4401 by alarm, not before', async () => {
  travel(0)
  const { tenant, socket } = await connected({ expiresAt: system.now() + HOUR_MS })
  travel(HOUR_MS - 1_000)
  await runDurableObjectAlarm(stubOf(tenant))
  expect(socket.closed).toBeNull()
  travel(1_000)
  expect(await runDurableObjectAlarm(stubOf(tenant))).toBe(true)
  await closedWith(socket, 4401)
})

test('a key rotated with overlap closes its sockets when the overlap ends', async () => {
  const { tenant, key, socket, hub } = await connected()
  await hub.deny({ ids: [key.id], from: system.now() + HOUR_MS })
  expect(socket.closed).toBeNull()
  travel(HOUR_MS)
  await runDurableObjectAlarm(stubOf(tenant))
  await closedWith(socket, 4401)
})

test('no frame goes to a credential that ended a moment ago, even before the alarm', async () => {
  const { socket, connectionId, hub } = await connected({ expiresAt: system.now() + HOUR_MS })
  travel(HOUR_MS)
  await hub.push([frame(1, [connectionId])])
  await closedWith(socket, 4401)
  expect(eventsOf(socket)).toEqual([])
})

test('live events gather between reservation and upgrade, and follow the history without repeats', async () => {
  const tenant = await newTenant()
  const hub = system.hub(tenant.routingId)
  const parsed = await system.tokens.parse(tenant.key)
  const request = { connectionId: 'req_early', kind: 'key', clientId: null, channels: ['conversation'] } as const
  expect(await hub.reserveSocket({ ...request, tokenHash: parsed?.hash ?? '' })).toBe('reserved')
  expect(await connectionsOf(tenant)).toEqual(['req_early'])
  await hub.push([frame(2, ['req_early']), frame(3, ['req_early'])])
  await hub.addHistory('req_early', [frame(1, []), frame(2, [])])
  const { webSocket } = await hub.openSocket('req_early', '{"type":"first"}')
  const received: string[] = []
  webSocket?.addEventListener('message', ({ data }) => {
    received.push((JSON.parse(String(data)) as { id?: string }).id ?? 'first')
  })
  webSocket?.accept()
  await until(() => expect(received).toEqual(['first', 'evt_1', 'evt_2', 'evt_3']))
})

test('a reservation that was lost with its hub is a 503 and leaves no socket', async () => {
  const tenant = await newTenant()
  const hub = system.hub(tenant.routingId)
  const response = await hub.openSocket('req_unknown', '{}')
  expect(response.status).toBe(503)
  expect(response.webSocket).toBeNull()
})

test('a deploy drops every socket; the sweep erases the presence that was left', async () => {
  const { tenant, socket } = await connected()
  await abortAllDurableObjects()
  await until(() => expect(socket.closed).not.toBeNull())
  expect(await connectionsOf(tenant)).toHaveLength(1)
  await atTime(61_000, () => verifyPresence(system, db))
  expect(await connectionsOf(tenant)).toEqual([])
})

test('the sweep leaves the presence of open sockets alone', async () => {
  const { tenant, socket } = await connected()
  await atTime(61_000, () => verifyPresence(system, db))
  expect(await connectionsOf(tenant)).toHaveLength(1)
  expect(socket.closed).toBeNull()
})

test('a user without any role left is closed with 4403', async () => {
  const { tenant, socket } = await connected()
  await db.write('delete from workspace_members where user_id = :user', { user: tenant.userId })
  await atTime(61_000, () => verifyPresence(system, db))
  await closedWith(socket, 4403)
  expect(await connectionsOf(tenant)).toEqual([])
})

test('after a revocation no new socket opens', async () => {
  const { key, hub } = await connected()
  await hub.deny({ ids: [key.id] })
  expect((await requestSocket(`/realtime?channels=conversation&token=${key.secret}`)).status).toBe(401)
})
