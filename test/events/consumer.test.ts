/** @module-tag long */
import { expect, test } from 'vitest'
import { eventConsumer } from '../../src/events/index.ts'
import { DAY, MINUTE, travel } from '../support/clock.ts'
import { commitEvent, conversationEvent } from '../support/events.ts'
import { messageOf } from '../support/queue-message.ts'
import { newReceiver } from '../support/receiver.ts'
import { runSweep, settled, subscribe } from '../support/webhooks.ts'
import { db, newTenant, system } from '../support/world.ts'

test('events of dead letters go back to the sweep, with an alert line', async () => {
  const tenant = await newTenant()
  const id = await subscribe(tenant, newReceiver())
  const event = await commitEvent(conversationEvent(tenant))
  await db.write('update events set resends = 6, resend_at = :resend_at where id = :event', {
    resend_at: system.now() + DAY,
    event,
  })
  const lines: unknown[] = []
  await eventConsumer.onDeadLetters({ ...system, log: { info: () => {}, error: (line) => lines.push(line) } }, [
    messageOf({ ids: [event] }),
  ])
  expect(lines).toEqual([{ event: 'events.dead_letters', alert: true, ids: [event] }])
  travel(MINUTE)
  await runSweep('events.resend')
  expect(await settled(id, { status: 'delivered' })).toMatchObject({ event_id: event })
})

test('a fan-out that fails retries its own message and no other', async () => {
  const [broken, fine] = [await newTenant(), await newTenant()]
  const [bad, good] = [await commitEvent(conversationEvent(broken)), await commitEvent(conversationEvent(fine))]
  await subscribe(broken, newReceiver())
  const messages = [messageOf({ ids: [bad] }), messageOf({ ids: [good] }), messageOf({ nonsense: true })]
  const failing = {
    ...system,
    log: { info: () => {}, error: () => {} },
    newId: (prefix: Parameters<typeof system.newId>[0]) => {
      if (prefix === 'dlv') throw new Error('no ids today')
      return system.newId(prefix)
    },
  }
  await eventConsumer.consume(failing, messages)
  expect(messages.map((message) => message.retry.mock.calls.length)).toEqual([1, 0, 0])
  const settledAt = (id: string) =>
    db.first<{ settled_at: number | null }>('select settled_at from events where id = :id', { id })
  expect(await settledAt(bad)).toEqual({ settled_at: null })
  expect(await settledAt(good)).toEqual({ settled_at: expect.any(Number) })
})
