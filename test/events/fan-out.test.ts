/** @module-tag long */
import { expect, test } from 'vitest'
import { fanOut } from '../../src/events/fan-out.ts'
import { eventStatement, type NewEvent } from '../../src/events/outbox.ts'
import { travel } from '../support/clock.ts'
import { commitEvent, happen, memoryEvent } from '../support/events.ts'
import { newReceiver } from '../support/receiver.ts'
import { openSocket } from '../support/socket.ts'
import { deliveriesOf, deliverNow, subscribe } from '../support/webhooks.ts'
import { addKey, addMember, call, db, newTenant, system, type Tenant } from '../support/world.ts'

/** Commits a memory event and fans it out. */
const spread = (tenant: Tenant, event: Partial<NewEvent>): Promise<string> => happen(memoryEvent(tenant, event))

const memory = { channels: ['memory'] }
const eventsFor = async (subscription: string) => (await deliveriesOf(subscription)).map((row) => row.event_id)

test('memory events go only to those who may retrieve the item', async () => {
  const tenant = await newTenant()
  const [member, outsider, stranger] = [
    await addMember(tenant, 'viewer'),
    await addMember(tenant, null),
    await newTenant(),
  ]
  const ids = []
  for (const one of [tenant, member, outsider, stranger]) ids.push(await subscribe(one, newReceiver(), memory))
  const everybody = await spread(tenant, {})
  const secret = await spread(tenant, { visibility: 'private', creator: tenant.userId })
  const granted = await spread(tenant, { visibility: 'private', creator: tenant.userId, readers: [member.userId] })
  expect(await Promise.all(ids.map(eventsFor))).toEqual([[everybody, secret, granted], [everybody, granted], [], []])
})

test('security 27: a subscription is bounded by the key that made it: projects, namespaces, scopes', async () => {
  const tenant = await newTenant()
  const other = await call('POST', '/api/projects', {
    key: tenant.key,
    body: { name: 'Other', workspace_id: tenant.workspaceId },
  })
  const by = async (options: Parameters<typeof addKey>[1], channels = ['memory']) =>
    subscribe({ ...tenant, key: (await addKey(tenant, options)).secret }, newReceiver(), { channels })
  const here = { project_id: tenant.projectId, access: 'read' as const }
  const subscriptions = [
    await by({ permissions: [here] }),
    await by({ permissions: [{ ...here, namespaces: ['a'] }] }),
    await by({ permissions: [{ ...here, project_id: other.body.id }] }),
    await by({ permissions: [here] }, ['system']),
  ]
  const plain = await spread(tenant, {})
  const named = await spread(tenant, { namespace: 'a' })
  const elsewhere = await spread(tenant, { projectId: other.body.id })
  await spread(tenant, { projectId: null, type: 'system.notification', channel: 'system', targets: [tenant.userId] })
  expect(await Promise.all(subscriptions.map(eventsFor))).toEqual([[plain, named], [named], [elsewhere], []])
})

test('two fan-outs of an event make one delivery, and a settled event gets no fan-out', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, newReceiver(), memory)
  const event = await spread(tenant, {})
  await Promise.all([fanOut(system, db, [event]), fanOut(system, db, [event])])
  await db.write('update events set settled_at = null where id = :event', { event })
  await Promise.all([fanOut(system, db, [event]), fanOut(system, db, [event])])
  expect(await eventsFor(id)).toEqual([event])
})

test('fan-out costs a bounded number of statements, whatever the number of events', async () => {
  const tenant = await newTenant()
  await subscribe(tenant, newReceiver(), memory)
  const rows = await db.batch<{ id: string }[]>(
    Array.from({ length: 50 }, (_, version) =>
      eventStatement(
        { ...system, db },
        {
          tenantId: tenant.tenantId,
          projectId: tenant.projectId,
          type: 'memory.created',
          channel: 'memory',
          actor: 'system',
          data: { version },
        },
      ),
    ),
  )
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  await fanOut(
    system,
    db.metered(meter),
    rows.map(([row]) => row!.id),
  )
  expect(meter.roundTrips).toBe(3)
})

test('an event with targets reads the sockets of these alone, however many others are open', async () => {
  const tenant = await newTenant()
  await openSocket(`/realtime?channels=memory&token=${tenant.key}`)
  await db.write(
    `insert into presence (connection_id, tenant_id, user_id, routing_id, credential_id, scopes, channels, created_at, verified_at)
     select :connection_id || value, :tenant, 'usr_' || value, '00none', 'key_x', '[]', '["memory"]', :created_at, :created_at from json_each(:ids)`,
    {
      connection_id: `req_${tenant.userId}_`,
      tenant: tenant.tenantId,
      created_at: system.now(),
      ids: JSON.stringify(Array.from({ length: 500 }, (_, n) => n)),
    },
  )
  const id = await commitEvent(memoryEvent(tenant, { targets: [tenant.userId] }))
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  await fanOut(system, db.metered(meter), [id])
  expect(meter.roundTrips).toBe(2)
  expect(meter.rowsRead).toBeLessThan(60)
})

test('150 events in a minute to one subscription: 100 in the first window, all 150 in the end, no attempt burned', async () => {
  const tenant = await newTenant()
  const sentAt: number[] = []
  const receiver = newReceiver(() => {
    sentAt.push(system.now())
    return new Response('ok')
  })
  const id = await subscribe(tenant, receiver, memory)
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) {
    const rows = await db.batch<{ id: string }[]>(
      Array.from({ length: 50 }, () =>
        eventStatement(
          { ...system, db },
          {
            tenantId: tenant.tenantId,
            projectId: tenant.projectId,
            type: 'memory.created',
            channel: 'memory',
            actor: 'system',
            data: {},
          },
        ),
      ),
    )
    ids.push(...rows.map(([row]) => row!.id))
  }
  for (let at = 0; at < ids.length; at += 50) await fanOut(system, db, ids.slice(at, at + 50))
  for (const row of await deliveriesOf(id)) await deliverNow(row.id)
  const held = async () => (await deliveriesOf(id)).filter((row) => row.status !== 'delivered')
  expect(receiver.received).toHaveLength(100)
  expect(await held()).toHaveLength(50)
  expect((await held()).every((row) => row.status === 'pending' && row.attempts === 0 && row.booked === 1)).toBe(true)
  travel(61_000)
  for (const row of await held()) await deliverNow(row.id)
  const rows = await deliveriesOf(id)
  expect(rows.every((row) => row.status === 'delivered' && row.attempts === 1)).toBe(true)
  expect(new Set(receiver.received.map((one) => one.headers['webhook-id'])).size).toBe(150)
  for (const at of sentAt)
    expect(sentAt.filter((other) => other > at - 60_000 && other <= at).length).toBeLessThanOrEqual(100)
}, 60_000)
