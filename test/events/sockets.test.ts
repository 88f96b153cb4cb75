import { abortAllDurableObjects } from 'cloudflare:test'
import { expect, test, vi } from 'vitest'
import { shiftClock } from '../../src/core/clock.ts'
import { eventStatement, type NewEvent } from '../../src/events/outbox.ts'
import { fanOut } from '../../src/events/fan-out.ts'
import { openSocket, type TestSocket } from '../support/socket.ts'
import { addKey, addMember, call, db, newTenant, system, type Tenant } from '../support/world.ts'

type Publisher = Pick<Tenant, 'key'>

async function publish(by: Publisher, body: Record<string, unknown>) {
  const answer = await call('POST', '/api/events/publish', { key: by.key, body })
  expect(answer.status).toBe(202)
  return answer.body as { event_id: string; timestamp: string }
}

const message = (n: number, more: Record<string, unknown> = {}) => ({
  type: 'message.new',
  data: { conversation_id: 'c-1', n },
  ...more,
})
const heardBy = (socket: TestSocket) => socket.messages.slice(1)
/** A frame that the socket may hear comes after one that it may not: once it is there, the other did not come. */
const reaches = (socket: TestSocket, id: string) => socket.heard('message.new', (one) => one.id === id)

const memoryEvent = (tenant: Tenant, more: Partial<NewEvent>): NewEvent => ({
  tenantId: tenant.tenantId,
  type: 'memory.created',
  channel: 'memory',
  projectId: tenant.projectId,
  namespace: 'default',
  actor: tenant.userId,
  data: { memory_id: 'mem_x' },
  ...more,
})

/** Commits an event as its cause would, and spreads it. */
async function happen(event: NewEvent): Promise<string> {
  const [[row]] = await db.batch<[{ id: string }]>([eventStatement({ ...system, db }, event)])
  if (!row) throw new Error('no event')
  await fanOut(system, db, [row.id])
  return row.id
}

test('a published event arrives as {id, type, channel, timestamp, data}', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  const { event_id, timestamp } = await publish(tenant, message(1))
  await reaches(socket, event_id)
  expect(heardBy(socket)).toEqual([
    { id: event_id, type: 'message.new', channel: 'conversation', timestamp, data: { conversation_id: 'c-1', n: 1 } },
  ])
})

test('a socket hears the channels that it named and no other', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=conversation,deploys&token=${tenant.key}`)
  await publish(tenant, { type: 'offering.installed', data: {} })
  const own = await publish(tenant, { type: 'build.done', channel: 'deploys', data: {} })
  const last = await publish(tenant, message(1))
  await reaches(socket, last.event_id)
  await socket.heard('build.done')
  expect(new Set(heardBy(socket).map((one) => one.id))).toEqual(new Set([own.event_id, last.event_id]))
})

test('every socket of every member hears an event, and targets cut that down', async () => {
  const tenant = await newTenant()
  const viewer = await addMember(tenant, 'viewer')
  const mine = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  const theirs = await openSocket(`/realtime?channels=conversation&token=${viewer.key}`)
  const aimed = await publish(tenant, message(1, { targets: [viewer.userId] }))
  const all = await publish(tenant, message(2))
  await Promise.all([reaches(mine, all.event_id), reaches(theirs, all.event_id), reaches(theirs, aimed.event_id)])
  expect(heardBy(mine).map((one) => one.id)).toEqual([all.event_id])
})

test('security 26: no event of one tenant reaches a socket of another, whatever ids it names', async () => {
  const [mine, theirs] = [await newTenant(), await newTenant()]
  const socket = await openSocket(`/realtime?channels=conversation,memory,system&token=${theirs.key}`)
  await publish(mine, message(1))
  await publish(mine, message(2, { data: { conversation_id: 'c-1', project_id: theirs.projectId } }))
  await happen(memoryEvent(mine, { targets: [theirs.userId], readers: [theirs.userId], creator: theirs.userId }))
  await happen(memoryEvent(mine, { projectId: null, workspaceId: null, targets: [theirs.userId] }))
  const own = await publish(theirs, message(3))
  await reaches(socket, own.event_id)
  expect(heardBy(socket).map((one) => one.id)).toEqual([own.event_id])
})

test('security 27: a key that is limited to a project and a namespace hears those alone', async () => {
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
  const heard = await happen(memoryEvent(tenant, { namespace: 'a' }))
  await socket.heard('memory.created', (one) => one.id === heard)
  expect(heardBy(socket).map((one) => one.id)).toEqual([heard])
})

test('security 27: an event of a private item reaches its creator, its readers and admins only', async () => {
  const tenant = await newTenant()
  const [creator, other] = [await addMember(tenant, 'editor'), await addMember(tenant, 'editor')]
  const [theirs, others] = await Promise.all(
    [creator, other].map(({ key }) => openSocket(`/realtime?channels=memory&token=${key}`)),
  )
  const hidden = await happen(memoryEvent(tenant, { visibility: 'private', creator: creator.userId }))
  const open = await happen(memoryEvent(tenant, {}))
  await theirs!.heard('memory.created', (one) => one.id === open)
  await others!.heard('memory.created', (one) => one.id === open)
  expect(heardBy(theirs!).map((one) => one.id)).toContain(hidden)
  expect(heardBy(others!).map((one) => one.id)).toEqual([open])
})

test('a lost role silences a socket with the next event', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'viewer')
  const socket = await openSocket(`/realtime?channels=conversation&token=${member.key}`)
  const before = await publish(tenant, message(1))
  await reaches(socket, before.event_id)
  await db.write('delete from workspace_members where user_id = ?', member.userId)
  const witness = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  const after = await publish(tenant, message(2))
  await reaches(witness, after.event_id)
  expect(heardBy(socket).map((one) => one.id)).toEqual([before.event_id])
})

test('a message of the queue that comes twice is one event to the client, or a repeat with the same id', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=memory&token=${tenant.key}`)
  const id = await happen(memoryEvent(tenant, {}))
  await fanOut(system, db, [id, id])
  await socket.heard('memory.created')
  expect(new Set(heardBy(socket).map((one) => one.id))).toEqual(new Set([id]))
})

test('a hub that cannot be reached makes the fan-out fail, so that it is tried again', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=memory&token=${tenant.key}`)
  const [[row]] = await db.batch<[{ id: string }]>([eventStatement({ ...system, db }, memoryEvent(tenant, {}))])
  const unreachable = {
    ...system,
    hub: () => ({ ...system.hub(tenant.routingId), push: () => Promise.reject(new Error('down')) }),
  }
  await expect(fanOut(unreachable, db, [row!.id])).rejects.toThrow('1 of 1 hubs')
  await fanOut(system, db, [row!.id])
  await socket.heard('memory.created', (one) => one.id === row!.id)
})

test('typing.start carries expires_at, 10 s ahead', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  const { timestamp } = await publish(tenant, { type: 'typing.start', data: { conversation_id: 'c-1' } })
  const typing = await socket.heard('typing.start')
  expect((Date.parse(typing.data.expires_at) - Date.parse(timestamp)) / 1_000).toBeCloseTo(10, 1)
})

/** Connects anew from an id, as a client that lost its line does. */
const resume = (tenant: Publisher, lastEventId: string, channels = 'conversation') =>
  openSocket(`/realtime?channels=${channels}&token=${tenant.key}&last_event_id=${lastEventId}`)
const stateOf = (socket: TestSocket) => socket.messages[0]?.data
const idsOf = (socket: TestSocket) => heardBy(socket).map((one) => one.id)

test('a deploy drops every socket; a client that comes back with last_event_id misses nothing', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  const before = await publish(tenant, message(1))
  await reaches(socket, before.event_id)
  await abortAllDurableObjects()
  await vi.waitFor(() => expect(socket.closed).not.toBeNull())
  const missed = [await publish(tenant, message(2)), await publish(tenant, message(3))].map((one) => one.event_id)
  await vi.waitFor(async () =>
    expect(await db.first('select 1 from events where id = ? and fanned_out_at > 0', missed[1] ?? '')).not.toBeNull(),
  )
  const again = await resume(tenant, before.event_id)
  await reaches(again, missed[1] ?? '')
  expect(idsOf(again)).toEqual(missed)
  expect(stateOf(again)).toEqual({
    state: 'connected',
    recovered: true,
    replayed: 2,
    last_event_id: before.event_id,
  })
})

test("a first frame's id resumes, and so does a typing event's", async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  await publish(tenant, { type: 'typing.start', data: { conversation_id: 'c-1' } })
  const typing = await socket.heard('typing.start')
  socket.close()
  const missed = await publish(tenant, message(1))
  await vi.waitFor(async () =>
    expect(await db.first('select 1 from events where id = ? and fanned_out_at > 0', missed.event_id)).not.toBeNull(),
  )
  for (const id of [socket.messages[0]?.id, typing.id]) {
    const again = await resume(tenant, id ?? '')
    await reaches(again, missed.event_id)
    expect(stateOf(again)).toMatchObject({ recovered: true, replayed: 1 })
  }
})

test('a line that breaks after the first frame loses nothing: its id resumes what was to follow, for 24 h anew', async () => {
  const tenant = await newTenant()
  const last = await happen(memoryEvent(tenant, {}))
  const missed = await happen(memoryEvent(tenant, {}))
  const HOURS_MS = 20 * 3_600_000
  let [shifted, id] = [0, last]
  try {
    for (let round = 0; round < 3; round += 1) {
      const again = await resume({ key: (await addKey(tenant)).secret }, id, 'memory')
      await vi.waitFor(() => expect(idsOf(again)).toContain(missed))
      expect(stateOf(again)).toMatchObject({ recovered: true, last_event_id: id })
      expect(again.messages[0]?.id).not.toBe(id)
      id = again.messages[0]?.id ?? ''
      again.close()
      shiftClock(HOURS_MS)
      shifted += HOURS_MS
    }
  } finally {
    shiftClock(-shifted)
  }
})

test('what was still being spread when the last event was made is sent again, what was done with is not', async () => {
  const tenant = await newTenant()
  const [done, underWay, last] = [
    await happen(memoryEvent(tenant, {})),
    await happen(memoryEvent(tenant, {})),
    await happen(memoryEvent(tenant, {})),
  ]
  const earlier = system.now() - 30_000
  await db.write('update events set fanned_out_at = ?, settled_at = ? where id = ?', earlier, earlier + 50, done)
  await db.write('update events set fanned_out_at = ?, settled_at = null where id = ?', earlier, underWay)
  const again = await resume(tenant, last, 'memory')
  await again.heard('memory.created')
  expect(idsOf(again)).toEqual([underWay])
})

test('a resume covers the channels asked for now', async () => {
  const tenant = await newTenant()
  const first = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  const memory = await happen(memoryEvent(tenant, {}))
  const again = await resume(tenant, first.messages[0]?.id ?? '', 'memory')
  expect(idsOf(again)).toEqual([memory])
})

test('security 26: an unknown id, one of another tenant, of another user or made up resumes nothing', async () => {
  const [tenant, stranger] = [await newTenant(), await newTenant()]
  const member = await addMember(tenant, 'viewer')
  const theirs = await openSocket(`/realtime?channels=memory&token=${stranger.key}`)
  const members = await openSocket(`/realtime?channels=memory&token=${member.key}`)
  await happen(memoryEvent(tenant, {}))
  const foreign = [
    system.newId('evt'),
    await happen(memoryEvent(stranger, {})),
    theirs.messages[0]?.id,
    members.messages[0]?.id,
    await happen(memoryEvent(tenant, { targets: [member.userId] })),
    'hello',
  ]
  for (const id of foreign) {
    const again = await resume({ key: (await addKey(tenant)).secret }, id ?? '', 'memory')
    expect(stateOf(again)).toEqual({ state: 'connected', recovered: false, replayed: 0, last_event_id: id })
    expect(idsOf(again)).toEqual([])
    again.close()
  }
})

test('an id older than 24 h resumes nothing, one of just under 24 h does', async () => {
  const tenant = await newTenant()
  const id = await happen(memoryEvent(tenant, {}))
  const DAY_MS = 24 * 3_600_000
  shiftClock(DAY_MS - 5_000)
  try {
    expect(stateOf(await resume(tenant, id, 'memory'))).toMatchObject({ recovered: true })
    shiftClock(10_000)
    expect(stateOf(await resume(tenant, id, 'memory'))).toMatchObject({ recovered: false, replayed: 0 })
    shiftClock(-10_000)
  } finally {
    shiftClock(5_000 - DAY_MS)
  }
})

/** So many events as a history that was fanned out, oldest first. */
async function history(tenant: Tenant, count: number, namespace: string | null = null): Promise<void> {
  const numbers = JSON.stringify(Array.from({ length: count }, (_, n) => n))
  const now = system.now()
  await db.write(
    `insert into events (id, tenant_id, type, channel, workspace_id, project_id, actor, data, created_at, fanned_out_at,
       settled_at, resend_at, expires_at, namespace)
     select substr(?1, 1, 22) || printf('%08d', value), ?2, 'memory.created', 'memory', ?3, ?4, 'system', '{}', ?5, ?5 + 1, ?5, ?5, ?5 + 86400000, ?7
     from json_each(?6)`,
    system.newId('evt'),
    tenant.tenantId,
    tenant.workspaceId,
    tenant.projectId,
    now,
    numbers,
    namespace,
  )
}

test('1,000 missed events are all sent, in order; with one more, none', async () => {
  const tenant = await newTenant()
  const last = await happen(memoryEvent(tenant, {}))
  await history(tenant, 1_000)
  const again = await resume(tenant, last, 'memory')
  await vi.waitFor(() => expect(idsOf(again)).toHaveLength(1_000))
  expect(idsOf(again)).toEqual(idsOf(again).toSorted((a, b) => String(a).localeCompare(String(b))))
  expect(stateOf(again)).toMatchObject({ recovered: true, replayed: 1_000 })
  await happen(memoryEvent(tenant, {}))
  const late = await resume(tenant, last, 'memory')
  expect(stateOf(late)).toMatchObject({ recovered: false, replayed: 0 })
  expect(idsOf(late)).toEqual([])
})

test('a client that acknowledges gets through a resume that is longer than it may ever lag', async () => {
  const tenant = await newTenant()
  const last = await happen(memoryEvent(tenant, {}))
  await history(tenant, 1_000)
  const again = await resume(tenant, last, 'memory')
  again.send({ type: 'ack', received: 1 })
  again.send('{ "type": "ping" }')
  await again.heard('pong')
  const live = await happen(memoryEvent(tenant, {}))
  await again.heard('memory.created', (one) => one.id === live)
  expect(again.closed).toBeNull()
})

test('what a limited credential may not hear does not count towards the 1,000', async () => {
  const tenant = await newTenant()
  const limited = await addKey(tenant, {
    permissions: [{ project_id: tenant.projectId, access: 'read', namespaces: ['a'] }],
  })
  const last = await happen(memoryEvent(tenant, { namespace: 'a' }))
  await history(tenant, 4_100, 'b')
  const allowed = await happen(memoryEvent(tenant, { namespace: 'a' }))
  const again = await resume({ key: limited.secret }, last, 'memory')
  expect(stateOf(again)).toMatchObject({ recovered: true, replayed: 1 })
  await again.heard('memory.created')
  expect(idsOf(again)).toEqual([allowed])
})

test('security 27: a resume sends only what the credential and the role may hear now', async () => {
  const tenant = await newTenant()
  const member = await addMember(tenant, 'editor')
  const limited = await addKey(member, {
    permissions: [{ project_id: tenant.projectId, access: 'read', namespaces: ['a'] }],
  })
  const first = await openSocket(`/realtime?channels=memory&token=${limited.secret}`)
  await happen(memoryEvent(tenant, { namespace: 'b' }))
  await happen(memoryEvent(tenant, { namespace: 'a', visibility: 'private', creator: tenant.userId }))
  const allowed = await happen(memoryEvent(tenant, { namespace: 'a' }))
  const again = await resume({ key: limited.secret }, first.messages[0]?.id ?? '', 'memory')
  await again.heard('memory.created')
  expect(idsOf(again)).toEqual([allowed])
  await db.write('delete from workspace_members where user_id = ?', member.userId)
  const barred = await resume({ key: limited.secret }, first.messages[0]?.id ?? '', 'memory')
  expect(idsOf(barred)).toEqual([])
})
