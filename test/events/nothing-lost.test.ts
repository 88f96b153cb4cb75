import { expect, test } from 'vitest'
import type { Job } from '../../src/core/job.ts'
import type { Queues } from '../../src/core/ports.ts'
import { deliveryJobs, eventJobs } from '../../src/events/index.ts'
import { travel } from '../support/clock.ts'
import { commitEvent, conversationEvent } from '../support/events.ts'
import { newReceiver } from '../support/receiver.ts'
import { heardBy, openSocket } from '../support/socket.ts'
import { deliveriesOf, runSweep, subscribe } from '../support/webhooks.ts'
import { addMember, db, newTenant, system } from '../support/world.ts'

const EVENTS = 60
const ROUNDS = 300
const ROUND_MS = 10 * 60_000

/** Numbers in 0..1 that look random and are the same in every run (mulberry32). */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A queue that loses every third message, repeats every fifth and keeps no order; a message retried is a message lost. */
function lossyQueue(roll: () => number) {
  let messages: { queue: string; body: unknown }[] = []
  const send: Queues['send'] = async (queue, bodies) => {
    for (const body of bodies) {
      const copies = roll() < 0.33 ? 0 : roll() < 0.2 ? 2 : 1
      for (let copy = 0; copy < copies; copy += 1)
        messages.splice(Math.floor(roll() * messages.length), 0, { queue, body })
    }
  }
  const take = (): typeof messages => {
    const taken = messages
    messages = []
    return taken
  }
  return { queues: { send }, take }
}

const jobOf = (body: unknown): Job => ({ id: 'm', body, attempts: 1, sentAt: 0, ack: () => {}, retry: () => {} })

test.each([1, 2, 3])(
  'messages lost, repeated and out of order, hubs and receivers that fail: everything arrives (%i)',
  async (seed) => {
    const roll = dice(seed)
    const tenant = await newTenant()
    const member = await addMember(tenant, 'viewer')
    const receiver = newReceiver(() => new Response(null, { status: roll() < 0.3 ? 503 : 200 }))
    const subscription = await subscribe(tenant, receiver)
    const sockets = await Promise.all(
      [tenant, member].map(({ key }) => openSocket(`/realtime?channels=conversation&token=${key}`)),
    )
    const { queues, take } = lossyQueue(roll)
    const flaky: typeof system.hub = (routingId) => {
      const hub = system.hub(routingId)
      const push: typeof hub.push = async (frames) => {
        if (roll() < 0.3) throw new Error('the hub is away')
        await hub.push(frames)
      }
      return { ...hub, push }
    }
    const parts = { queues, hub: flaky, log: { info: () => {}, error: () => {} } }
    const ids = new Set<string>()
    for (let n = 0; n < EVENTS; n += 1) ids.add(await commitEvent(conversationEvent(tenant)))

    const undone = async () =>
      (await db.all('select 1 from events where tenant_id = ? and settled_at is null', tenant.tenantId)).length +
      (await deliveriesOf(subscription)).filter((row) => row.status !== 'delivered').length
    for (let round = 0; round < ROUNDS && (round === 0 || (await undone()) > 0); round += 1) {
      travel(ROUND_MS)
      await runSweep('events.resend', parts)
      await runSweep('deliveries.resend', parts)
      const messages = take()
      const of = (name: string) => messages.filter(({ queue }) => queue === name).map(({ body }) => jobOf(body))
      await eventJobs.consume({ ...system, ...parts }, of('events'))
      await deliveryJobs.consume({ ...system, ...parts }, of('delivery'))
    }

    expect(await undone()).toBe(0)
    const delivered = receiver.received.map(
      ({ body }) => (JSON.parse(body) as { events: { id: string }[] }).events[0]?.id,
    )
    expect(new Set(delivered)).toEqual(ids)
    for (const socket of sockets) {
      for (const id of ids) await socket.heard('message.new', (one) => one.id === id)
      expect(new Set(heardBy(socket).map((one) => one.id))).toEqual(ids)
    }
  },
  60_000,
)
