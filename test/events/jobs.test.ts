import { afterEach, expect, test, vi } from 'vitest'
import { deliveryJobs, eventJobs, eventStatement, eventSweeps } from '../../src/events/index.ts'
import { newReceiver } from '../support/receiver.ts'
import { db, newTenant, system, type Tenant } from '../support/world.ts'
import { deliveriesOf, deliverNow, moveClock, publish, resetClock, runSweep, settled, subscribe } from './webhooks.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * 60 * MINUTE

afterEach(resetClock)

/** Commits an event whose queue message is lost. */
async function commitWithoutMessage(tenant: Tenant, type = 'message.new'): Promise<string> {
  const [[row]] = await db.batch<[{ id: string }]>([
    eventStatement(
      { ...system, db },
      {
        tenantId: tenant.tenantId,
        projectId: tenant.projectId,
        type,
        channel: 'conversation',
        conversationId: 'c1',
        actor: tenant.userId,
        data: { conversation_id: 'c1' },
      },
    ),
  ])
  return row!.id
}

const jobOf = (body: unknown) => ({
  id: 'm',
  body,
  attempts: 1,
  sentAt: 0,
  ack: vi.fn<() => void>(),
  retry: vi.fn<() => void>(),
})

test('an event whose message was lost is spread by the sweep', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  await commitWithoutMessage(tenant)
  await runSweep('events.resend')
  expect(await deliveriesOf(id)).toEqual([])
  moveClock(MINUTE)
  await runSweep('events.resend')
  expect(await settled(id, { status: 'delivered' })).toMatchObject({ attempts: 1 })
})

test('a backlog is not sent again whole each minute: each time an event waits longer', async () => {
  const tenant = await newTenant()
  const id = await commitWithoutMessage(tenant)
  const quiet = { ...system, queues: { send: vi.fn<() => Promise<void>>(async () => undefined) } }
  const sweep = eventSweeps.find((one) => one.name === 'events.resend')!
  const waits: number[] = []
  for (let n = 0; n < 4; n += 1) {
    const before = await db.first<{ resend_at: number }>('select resend_at from events where id = ?', id)
    moveClock(Math.max(0, before!.resend_at - system.now()))
    await sweep.run(quiet)
    const after = await db.first<{ resend_at: number }>('select resend_at from events where id = ?', id)
    waits.push(Math.round((after!.resend_at - system.now()) / MINUTE))
  }
  expect(waits).toEqual([1, 2, 4, 8])
})

test('events that the queue gave up on go back to the sweep, with an alert line', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, newReceiver())
  const event = await commitWithoutMessage(tenant)
  await db.write('update events set resends = 6, resend_at = ? where id = ?', system.now() + DAY, event)
  const lines: unknown[] = []
  await eventJobs.bury({ ...system, log: { info: () => {}, error: (line) => lines.push(line) } }, [
    jobOf({ ids: [event] }),
  ])
  expect(lines).toEqual([{ event: 'alert.events_buried', ids: [event] }])
  moveClock(MINUTE)
  await runSweep('events.resend')
  expect(await settled(id, { status: 'delivered' })).toMatchObject({ event_id: event })
})

test('deliveries that the queue gave up on go back to the sweep, with an alert line', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: receiver.received.length > 1 ? 200 : 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  await db.write('update deliveries set resend_at = ? where id = ?', system.now() + DAY, row.id)
  const lines: unknown[] = []
  await deliveryJobs.bury({ ...system, log: { info: () => {}, error: (line) => lines.push(line) } }, [
    jobOf({ id: row.id }),
  ])
  expect(lines).toEqual([{ event: 'alert.deliveries_buried', ids: [row.id] }])
  moveClock(MINUTE)
  await runSweep('deliveries.resend')
  expect(await settled(id, { status: 'delivered' })).toMatchObject({ attempts: 2 })
})

test('a fan-out that fails retries its own message and no other', async () => {
  const [broken, fine] = [await newTenant(), await newTenant()]
  const [bad, good] = [await commitWithoutMessage(broken), await commitWithoutMessage(fine)]
  await subscribe(broken, newReceiver())
  const jobs = [jobOf({ ids: [bad] }), jobOf({ ids: [good] }), jobOf({ nonsense: true })]
  const failing = {
    ...system,
    log: { info: () => {}, error: () => {} },
    newId: (prefix: Parameters<typeof system.newId>[0]) => {
      if (prefix === 'dlv') throw new Error('no ids today')
      return system.newId(prefix)
    },
  }
  await eventJobs.consume(failing, jobs)
  expect(jobs.map((job) => job.retry.mock.calls.length)).toEqual([1, 0, 0])
  const settledAt = (id: string) =>
    db.first<{ settled_at: number | null }>('select settled_at from events where id = ?', id)
  expect(await settledAt(bad)).toEqual({ settled_at: null })
  expect(await settledAt(good)).toEqual({ settled_at: expect.any(Number) })
})

test('a name without an answer: not sent, no attempt used; one that leads inside: refused as an attempt', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: receiver.received.length > 1 ? 200 : 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  const strict = { config: { ...system.config, allowPrivateWebhooks: false } }
  const answering = (...addresses: string[]) => ({ ...strict, resolver: { addresses: async () => addresses } })
  moveClock(MINUTE)
  await deliverNow(row.id, { ...strict, resolver: { addresses: () => Promise.reject(new Error('no answer')) } })
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 1, last_error: 'name_not_resolved' }])
  moveClock(10 * MINUTE)
  await deliverNow(row.id, answering('169.254.169.254'))
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 2, last_error: 'private_target' }])
  expect(receiver.received).toHaveLength(1)
  moveClock(DAY)
  await deliverNow(row.id, answering('93.184.215.14'))
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempts: 3 }])
})

test('security 36: an attempt at the service itself, by any of its host names, is refused and takes no place', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  const config = { ...system.config, allowPrivateWebhooks: false, publicHosts: [new URL(receiver.url).hostname] }
  const takeSlots = vi.fn<() => Promise<number[]>>(async () => [0])
  const parts = {
    resolver: { addresses: async () => ['93.184.215.14'] },
    hub: () => ({ ...system.hub(tenant.routingId), takeSlots }),
  }
  moveClock(MINUTE)
  await deliverNow(row.id, { ...parts, config })
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 2, last_error: 'own_service' }])
  expect(receiver.received).toHaveLength(1)
  expect(takeSlots).not.toHaveBeenCalled()
  moveClock(HOUR)
  await deliverNow(row.id, { ...parts, config: { ...config, publicHosts: [] } })
  expect(receiver.received).toHaveLength(2)
  expect(takeSlots).toHaveBeenCalledTimes(1)
})

test('a gate that cannot be reached: not sent, no attempt used', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver(() => new Response(null, { status: 500 }))
  const id = await subscribe(tenant, receiver)
  await publish(tenant)
  const row = await settled(id, { status: 'pending', attempts: 1 })
  moveClock(MINUTE)
  const away = { ...system.hub(tenant.routingId), takeSlots: () => Promise.reject(new Error('away')) }
  await deliverNow(row.id, { hub: () => away, log: { info: () => {}, error: () => {} } })
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 1, last_error: 'not_sent' }])
  expect(receiver.received).toHaveLength(1)
})

test('events, deliveries and attempts are erased after 30 days, typing events at the next sweep', async () => {
  const tenant = await newTenant()
  const receiver = newReceiver()
  const id = await subscribe(tenant, receiver)
  const typing = await publish(tenant, {}, { type: 'typing.stop' })
  const event = await publish(tenant)
  await vi.waitFor(async () =>
    expect((await deliveriesOf(id)).map((row) => row.status)).toEqual(['delivered', 'delivered']),
  )
  const left = async () => ({
    events: await db.all('select id from events where id in (?, ?)', typing, event),
    deliveries: (await deliveriesOf(id)).length,
    attempts: (await db.all('select id from delivery_attempts where tenant_id = ?', tenant.tenantId)).length,
  })
  moveClock(MINUTE)
  await runSweep('events.retention')
  expect(await left()).toEqual({ events: [{ id: event }], deliveries: 2, attempts: 2 })
  moveClock(30 * DAY)
  await runSweep('events.retention')
  expect(await left()).toEqual({ events: [], deliveries: 0, attempts: 0 })
})
