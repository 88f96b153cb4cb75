/**
 * @module-tag long
 * @module-tag shards
 */
import { abortAllDurableObjects } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { newId } from '../../../src/core/values/ids.ts'
import { RESUMABLE_MS, receivedUntil } from '../../../src/events/sockets/missed-events.ts'
import { travel } from '../../support/clock.ts'
import { happen, memoryEvent, message, publishBy } from '../../support/events.ts'
import { receivedBy, openSocket, reaches, type TestSocket } from '../../support/socket.ts'
import { until } from '../../support/until.ts'
import { addKey, addMember, db, newTenant, system, type Tenant } from '../../support/world.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const idAt = (ms: number) => newId('evt', ms, system.random)
const DAY = RESUMABLE_MS
const minuteAgo = NOW - 60_000

test.each([
  ['malformed', 'hello', { fanned_out_at: NOW, settled_at: null }, NOW, null],
  ['of another type', newId('mem', NOW, system.random), { fanned_out_at: NOW, settled_at: null }, null, null],
  ['unknown, so perhaps foreign', idAt(minuteAgo), null, null, null],
  ['in the history', idAt(minuteAgo), { fanned_out_at: minuteAgo + 5, settled_at: null }, null, minuteAgo],
  ['without history, made for the caller', idAt(minuteAgo), null, minuteAgo, minuteAgo],
  [
    'fanned out again long after it was sent',
    idAt(minuteAgo),
    { fanned_out_at: NOW, settled_at: null },
    null,
    minuteAgo,
  ],
  ['24 h old to the millisecond', idAt(NOW - DAY), null, NOW - DAY, NOW - DAY],
  ['one millisecond older', idAt(NOW - DAY - 1), null, NOW - DAY - 1, null],
  [
    'made before, but sent within 24 h',
    idAt(NOW - DAY - 60_000),
    { fanned_out_at: NOW - DAY, settled_at: null },
    null,
    NOW - DAY - 60_000,
  ],
  ['sent just now, before what its receiver has yet to receive', idAt(NOW), null, NOW - 2 * DAY, NOW - 2 * DAY],
  ['sent just now, before what the history has lost', idAt(NOW), null, NOW - 31 * DAY, null],
  [
    'of a fan-out that ended within 24 h',
    idAt(NOW - DAY - 9),
    { fanned_out_at: NOW - DAY - 5, settled_at: NOW - DAY },
    null,
    NOW - DAY - 9,
  ],
  ['not fanned out yet', idAt(minuteAgo), { fanned_out_at: null, settled_at: null }, null, minuteAgo],
])('resume from an id %s', (_, id, stored, ephemeral, until) => {
  expect(receivedUntil({ id, stored, ephemeral }, NOW)).toBe(until)
})

/** Reconnects from an id, as a client does that lost its connection. */
const resume = (tenant: Pick<Tenant, 'key'>, lastEventId: string, channels = 'conversation') =>
  openSocket(`/realtime?channels=${channels}&token=${tenant.key}&last_event_id=${lastEventId}`)
const stateOf = (socket: TestSocket) => socket.messages[0]?.data
const idsOf = (socket: TestSocket) => receivedBy(socket).map((one) => one.id)

test('a deploy drops every socket; a client that comes back with last_event_id misses nothing', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  const before = await publishBy(tenant, message(1))
  await reaches(socket, before.event_id)
  await abortAllDurableObjects()
  await until(() => expect(socket.closed).not.toBeNull())
  const missed = [await publishBy(tenant, message(2)), await publishBy(tenant, message(3))].map((one) => one.event_id)
  await until(async () =>
    expect(
      await db.first('select 1 from events where id = :id and fanned_out_at > 0', { id: missed[1] ?? '' }),
    ).not.toBeNull(),
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

test('the id of a first frame resumes, and so does the id of a typing event', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  await publishBy(tenant, { type: 'typing.start', data: { conversation_id: 'c-1' } })
  const typing = await socket.received('typing.start')
  socket.close()
  const missed = await publishBy(tenant, message(1))
  await until(async () =>
    expect(
      await db.first('select 1 from events where id = :event and fanned_out_at > 0', { event: missed.event_id }),
    ).not.toBeNull(),
  )
  for (const id of [socket.messages[0]?.id, typing.id]) {
    const again = await resume(tenant, id ?? '')
    await reaches(again, missed.event_id)
    expect(stateOf(again)).toMatchObject({ recovered: true, replayed: 1 })
  }
})

test('a connection that breaks after the first frame loses nothing: the id of that frame resumes for another 24 h', async () => {
  const tenant = await newTenant()
  const last = await happen(memoryEvent(tenant))
  const missed = await happen(memoryEvent(tenant))
  const HOURS_MS = 20 * 3_600_000
  let id = last
  for (let round = 0; round < 3; round += 1) {
    const again = await resume({ key: (await addKey(tenant)).secret }, id, 'memory')
    await until(() => expect(idsOf(again)).toContain(missed))
    expect(stateOf(again)).toMatchObject({ recovered: true, last_event_id: id })
    expect(again.messages[0]?.id).not.toBe(id)
    id = again.messages[0]?.id ?? ''
    again.close()
    travel(HOURS_MS)
  }
})

test('a resume repeats events whose fan-out was under way at the last event, and no settled ones', async () => {
  const tenant = await newTenant()
  const [done, underWay, last] = [
    await happen(memoryEvent(tenant)),
    await happen(memoryEvent(tenant)),
    await happen(memoryEvent(tenant)),
  ]
  const earlier = system.now() - 30_000
  await db.write('update events set fanned_out_at = :earlier, settled_at = :settled_at where id = :done', {
    earlier,
    settled_at: earlier + 50,
    done,
  })
  await db.write('update events set fanned_out_at = :earlier, settled_at = null where id = :under_way', {
    earlier,
    under_way: underWay,
  })
  const again = await resume(tenant, last, 'memory')
  await again.received('memory.created')
  expect(idsOf(again)).toEqual([underWay])
})

test('a resume covers the channels of the new connection', async () => {
  const tenant = await newTenant()
  const first = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  const memory = await happen(memoryEvent(tenant))
  const again = await resume(tenant, first.messages[0]?.id ?? '', 'memory')
  expect(idsOf(again)).toEqual([memory])
})

test('security 26: an unknown id, one of another tenant, of another user or made up resumes nothing', async () => {
  const [tenant, stranger] = [await newTenant(), await newTenant()]
  const member = await addMember(tenant, 'viewer')
  const theirs = await openSocket(`/realtime?channels=memory&token=${stranger.key}`)
  const members = await openSocket(`/realtime?channels=memory&token=${member.key}`)
  await happen(memoryEvent(tenant))
  const foreign = [
    system.newId('evt'),
    await happen(memoryEvent(stranger)),
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

test('an id older than 24 h resumes nothing, one of just under 24 h resumes', async () => {
  travel(0)
  const tenant = await newTenant()
  const id = await happen(memoryEvent(tenant))
  const DAY_MS = 24 * 3_600_000
  travel(DAY_MS - 5_000)
  expect(stateOf(await resume(tenant, id, 'memory'))).toMatchObject({ recovered: true })
  travel(10_000)
  expect(stateOf(await resume(tenant, id, 'memory'))).toMatchObject({ recovered: false, replayed: 0 })
})

test('typing events are in no history: a resume does not send them, not even within their ten seconds', async () => {
  const tenant = await newTenant()
  const socket = await openSocket(`/realtime?channels=conversation&token=${tenant.key}`)
  const typing = await publishBy(tenant, { type: 'typing.start', data: { conversation_id: 'c-1' } })
  await socket.received('typing.start', (one) => one.id === typing.event_id)
  const last = await publishBy(tenant, message(1))
  await reaches(socket, last.event_id)
  const again = await resume(tenant, socket.messages[0]?.id ?? '')
  await reaches(again, last.event_id)
  expect(idsOf(again)).toEqual([last.event_id])
})

test('security 27: a resume sends only events that the credential and the role may receive now', async () => {
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
  await again.received('memory.created')
  expect(idsOf(again)).toEqual([allowed])
  await db.write('delete from workspace_members where user_id = :user', { user: member.userId })
  const barred = await resume({ key: limited.secret }, first.messages[0]?.id ?? '', 'memory')
  expect(idsOf(barred)).toEqual([])
})
