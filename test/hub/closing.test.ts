/** @module-tag long */
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { CATALOG, EventMessageSchema } from '../../src/events/catalog.ts'
import { verifyPresence } from '../../src/events/sockets/sweep.ts'
import { MAX_FRAME_BYTES } from '../../src/hub/client-message.ts'
import { atTime, travel } from '../support/clock.ts'
import { message, publishBy } from '../support/events.ts'
import { openSocket, reaches, receivedBy, type Message, type TestSocket } from '../support/socket.ts'
import { until } from '../support/until.ts'
import { addKey, db, newTenant, system, type Tenant } from '../support/world.ts'

const HOUR_MS = 3_600_000

interface Connected {
  tenant: Tenant
  key: { id: string; secret: string }
  socket: TestSocket
}

const listen = (key: string, more = '') => openSocket(`/realtime?channels=conversation&token=${key}${more}`)

async function connected(): Promise<Connected> {
  const tenant = await newTenant()
  const key = await addKey(tenant, { expiresAt: system.now() + HOUR_MS })
  return { tenant, key, socket: await listen(key.secret, '&client_id=desk') }
}

async function connectionOf(tenant: Tenant): Promise<string> {
  const row = await db.first<{ connection_id: string }>('select connection_id from presence where user_id = :user', {
    user: tenant.userId,
  })
  return row?.connection_id ?? ''
}

/** Acknowledges the first frame alone, then gets one event more than it may leave unacknowledged. */
async function fallBehind({ tenant, socket }: Connected): Promise<void> {
  const connections = [await connectionOf(tenant)]
  socket.send({ type: 'ack', received: 1 })
  socket.send('{ "type": "ping" }')
  await socket.received('pong')
  const frames = Array.from({ length: 1_001 }, (_, n) => ({ id: `evt_${n}`, text: '{"type":"x"}', connections }))
  await system.hub(tenant.routingId).push(frames)
}

/** What makes the service close a socket. */
const CLOSES: [string, number, string, (one: Connected) => unknown][] = [
  [
    'replaced',
    4409,
    'replaced by a newer connection with this client_id',
    ({ tenant }) => listen(tenant.key, '&client_id=desk'),
  ],
  [
    'of a revoked credential',
    4401,
    'credential ended',
    ({ tenant, key }) => system.hub(tenant.routingId).deny({ ids: [key.id] }),
  ],
  [
    'of an expired credential',
    4401,
    'credential ended',
    ({ tenant }) => {
      travel(HOUR_MS)
      return runDurableObjectAlarm(env.USER_HUB.getByName(tenant.routingId))
    },
  ],
  [
    'without rights',
    4403,
    'rights lost',
    async ({ tenant }) => {
      await db.write('delete from workspace_members where user_id = :user', { user: tenant.userId })
      await atTime(61_000, () => verifyPresence(system, db))
    },
  ],
  ['with too large a message', 4413, 'frame over 64 KiB', ({ socket }) => socket.send('x'.repeat(MAX_FRAME_BYTES + 1))],
  [
    'that floods',
    4429,
    'too many messages',
    ({ socket }) => {
      for (let n = 0; n < 120; n += 1) socket.send('{"type":"unknown"}')
    },
  ],
  ['that lags', 1013, 'too many unacknowledged events, reconnect', fallBehind],
]

const Closing = z.strictObject({
  ...EventMessageSchema.shape,
  type: z.literal('system.status'),
  channel: z.literal('system'),
  data: CATALOG['system.status'].data.pick({ state: true, code: true, reason: true }).required().strict(),
})

const closingOf = ({ messages }: TestSocket): Message | undefined =>
  messages.find((one) => one.data?.state === 'closing')

test.each(CLOSES)('a socket %s hears so in a last frame, before its close', async (_, code, reason, act) => {
  const one = await connected()
  await act(one)
  await until(() => expect(one.socket.closed).toEqual({ code, reason }))
  const last = one.socket.messages.at(-1)
  expect(last?.data).toEqual({ state: 'closing', code, reason })
  expect(Closing.safeParse(last).error).toBeUndefined()
  expect(one.socket.messages.filter(({ data }) => data?.state === 'closing')).toHaveLength(1)
})

test('a socket that its client closes hears nothing more', async () => {
  const { socket } = await connected()
  socket.close()
  await until(() => expect(socket.closed?.code).toBe(1000))
  expect(receivedBy(socket)).toEqual([])
})

test('the id of a closing frame resumes after the events before it, and has no row', async () => {
  const { tenant, socket, key } = await connected()
  const before = await publishBy(tenant, message(1))
  await reaches(socket, before.event_id)
  await until(async () =>
    expect(
      await db.first('select 1 from events where id = :event and settled_at > 0', { event: before.event_id }),
    ).not.toBeNull(),
  )
  travel(2_000)
  await system.hub(tenant.routingId).deny({ ids: [key.id] })
  await until(() => expect(socket.closed?.code).toBe(4401))
  const id = closingOf(socket)?.id ?? ''
  const missed = await publishBy(tenant, message(2))
  expect(await db.first('select 1 from events where id = :id', { id })).toBeNull()
  const again = await listen(tenant.key, `&last_event_id=${id}`)
  await reaches(again, missed.event_id)
  expect(again.messages[0]?.data).toMatchObject({ recovered: true, last_event_id: id })
  expect(receivedBy(again).map((one) => one.id)).toEqual([missed.event_id])
})

test('a closing socket gets no event, and its place is free at once', async () => {
  const { tenant, socket, key } = await connected()
  const hub = system.hub(tenant.routingId)
  const connectionId = await connectionOf(tenant)
  await Promise.all([
    hub.deny({ ids: [key.id] }),
    hub.push([{ id: 'evt_1', text: '{"type":"message.new","id":"evt_1"}', connections: [connectionId] }]),
  ])
  expect(await hub.missingSockets([connectionId])).toEqual([connectionId])
  await until(() => expect(socket.closed?.code).toBe(4401))
  expect(receivedBy(socket).map(({ data }) => data?.state)).toEqual(['closing'])
})
