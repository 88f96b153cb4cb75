import { expect, test, vi } from 'vitest'
import { deliveryConsumer, eventConsumer } from '../../src/events/index.ts'
import { travel } from '../support/clock.ts'
import { commitEvent, conversationEvent } from '../support/events.ts'
import { newReceiver } from '../support/receiver.ts'
import { publish, runSweep, settled, subscribe } from '../support/webhooks.ts'
import { db, newTenant, system } from '../support/world.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const jobOf = (body: unknown) => ({
  id: 'm',
  body,
  attempts: 1,
  sentAt: 0,
  ack: vi.fn<() => void>(),
  retry: vi.fn<() => void>(),
})

test('events that the queue gave up on go back to the sweep, with an alert line', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, newReceiver())
  const event = await commitEvent(conversationEvent(tenant))
  await db.write('update events set resends = 6, resend_at = ? where id = ?', system.now() + DAY, event)
  const lines: unknown[] = []
  await eventConsumer.onDeadLetters({ ...system, log: { info: () => {}, error: (line) => lines.push(line) } }, [
    jobOf({ ids: [event] }),
  ])
  expect(lines).toEqual([{ event: 'events.dead_letters', alert: true, ids: [event] }])
  travel(MINUTE)
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
  await deliveryConsumer.onDeadLetters({ ...system, log: { info: () => {}, error: (line) => lines.push(line) } }, [
    jobOf({ id: row.id }),
  ])
  expect(lines).toEqual([{ event: 'delivery.dead_letters', alert: true, ids: [row.id] }])
  travel(MINUTE)
  await runSweep('deliveries.resend')
  expect(await settled(id, { status: 'delivered' })).toMatchObject({ attempts: 2 })
})

test('a fan-out that fails retries its own message and no other', async () => {
  const [broken, fine] = [await newTenant(), await newTenant()]
  const [bad, good] = [await commitEvent(conversationEvent(broken)), await commitEvent(conversationEvent(fine))]
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
  await eventConsumer.consume(failing, jobs)
  expect(jobs.map((job) => job.retry.mock.calls.length)).toEqual([1, 0, 0])
  const settledAt = (id: string) =>
    db.first<{ settled_at: number | null }>('select settled_at from events where id = ?', id)
  expect(await settledAt(bad)).toEqual({ settled_at: null })
  expect(await settledAt(good)).toEqual({ settled_at: expect.any(Number) })
})
