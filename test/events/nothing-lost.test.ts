/** @module-tag long */
import { expect, test } from 'vitest'
import type { Queues } from '../../src/core/ports.ts'
import { fanOut } from '../../src/events/fan-out.ts'
import { deliveryConsumer, eventConsumer } from '../../src/events/index.ts'
import { MAX_ATTEMPTS } from '../../src/events/webhooks/retry-schedule.ts'
import { travel } from '../support/clock.ts'
import { commitEvent, conversationEvent } from '../support/events.ts'
import { messageOf } from '../support/queue-message.ts'
import { newReceiver } from '../support/receiver.ts'
import { receivedBy, openSocket, type TestSocket } from '../support/socket.ts'
import { until } from '../support/until.ts'
import { deliveriesOf, runSweep, subscribe } from '../support/webhooks.ts'
import { addKey, addMember, db, newTenant, system } from '../support/world.ts'

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

/** A queue that loses every third message, repeats every fifth and keeps no order. A retried message is lost too. */
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

test.each([1, 2, 3])(
  'messages lost, repeated and out of order, hubs and receivers that fail: everything arrives (%i)',
  async (seed) => {
    const roll = dice(seed)
    const tenant = await newTenant()
    const member = await addMember(tenant, 'viewer')
    // A delivery is given up after its last attempt, so no delivery fails that often.
    const failures = new Map<string | undefined, number>()
    const receiver = newReceiver(({ headers }) => {
      const id = headers['webhook-id']
      const failed = failures.get(id) ?? 0
      if (failed === MAX_ATTEMPTS - 1 || roll() >= 0.3) return new Response()
      failures.set(id, failed + 1)
      return new Response(null, { status: 503 })
    })
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
    let sending: Promise<unknown>[] = []
    const waitUntil = (work: Promise<unknown>) => void sending.push(work)
    const parts = { queues, hub: flaky, log: { info: () => {}, error: () => {} }, waitUntil }
    const ids = new Set<string>()
    for (let n = 0; n < EVENTS; n += 1) ids.add(await commitEvent(conversationEvent(tenant)))

    const undone = async (): Promise<unknown[]> => [
      ...(await db.all('select id from events where tenant_id = :tenant and settled_at is null', {
        tenant: tenant.tenantId,
      })),
      ...(await deliveriesOf(subscription)).filter((row) => row.status !== 'delivered'),
    ]
    for (let round = 0; round < ROUNDS && (round === 0 || (await undone()).length > 0); round += 1) {
      travel(ROUND_MS)
      await runSweep('events.resend', parts)
      await runSweep('deliveries.resend', parts)
      const messages = take()
      const of = (name: string) => messages.filter(({ queue }) => queue === name).map(({ body }) => messageOf(body))
      await eventConsumer.consume({ ...system, ...parts }, of('events'))
      await deliveryConsumer.consume({ ...system, ...parts }, of('delivery'))
      await Promise.all(sending)
      sending = []
    }

    expect(await undone()).toEqual([])
    const delivered = receiver.received.map(
      ({ body }) => (JSON.parse(body) as { events: { id: string }[] }).events[0]?.id,
    )
    expect(new Set(delivered)).toEqual(ids)
    for (const socket of sockets) {
      for (const id of ids) await socket.received('message.new', (one) => one.id === id)
      expect(new Set(receivedBy(socket).map((one) => one.id))).toEqual(ids)
    }
  },
  60_000,
)

test.each([1, 2, 11])(
  'a line that breaks again and again while events overtake each other: the client misses nothing (%i)',
  async (seed) => {
    const roll = dice(seed)
    const tenant = await newTenant()
    const log = { info: () => {}, error: () => {} }
    const quiet = { ...system, queues: { send: async () => undefined }, log }
    const away = { ...system.hub(tenant.routingId), push: () => Promise.reject(new Error('away')) }
    const committed = new Set<string>()
    const received = new Set<string>()
    let [pending, line, lastId]: [string[], TestSocket | null, string | null] = [[], null, null]

    const connect = async () => {
      const { secret } = await addKey(tenant)
      const from: string = lastId === null ? '' : `&last_event_id=${lastId}`
      line = await openSocket(`/realtime?channels=conversation&token=${secret}${from}`)
      expect(line.messages[0]?.data).toMatchObject({ recovered: from !== '', last_event_id: lastId })
    }
    const read = () => {
      for (const { id } of line ? receivedBy(line) : []) if (id) received.add(id)
      lastId = line?.messages.findLast(({ id }) => id)?.id ?? lastId
    }
    const breakOff = async () => {
      // The answer of the hub comes after the frames that it sent. Without it frames are lost on the way.
      if (roll() < 0.7) {
        line?.send('{ "type": "ping" }')
        await line?.received('pong')
      }
      read()
      line?.close()
      line = null
    }
    const spread = async (isAway: boolean) => {
      const [id] = pending.splice(Math.floor(roll() * pending.length), 1)
      if (id === undefined) return
      await fanOut(isAway ? { ...quiet, hub: () => away } : quiet, db, [id])
      if (isAway) pending.push(id)
    }
    /** A fan-out whose frames are on their way for a while, which is less than a minute (`missedEvents`). */
    let underWay: { until: number; arrive(): Promise<void> }[] = []
    const drag = async () => {
      const [id] = pending.splice(0, 1)
      if (id === undefined) return
      const hub = system.hub(tenant.routingId)
      const [sent, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const push: typeof hub.push = async (frames) => {
        sent.resolve()
        await arrived.promise
        await hub.push(frames)
      }
      const done = fanOut({ ...quiet, hub: () => ({ ...hub, push }) }, db, [id])
      await Promise.race([sent.promise, done])
      const arrive = () => {
        arrived.resolve()
        return done
      }
      underWay.push({ until: system.now() + 50_000, arrive })
    }
    const pass = async (ms: number) => {
      const late = underWay.filter(({ until }) => until <= system.now() + ms)
      underWay = underWay.filter((one) => !late.includes(one))
      for (const one of late) await one.arrive()
      travel(ms)
    }
    await connect()
    for (let step = 0; step < 150; step += 1) {
      await pass(Math.floor(roll() * 20_000))
      const what = roll()
      if (what < 0.35) {
        const id = await commitEvent(conversationEvent(tenant))
        committed.add(id)
        pending.push(id)
      } else if (what < 0.6) await spread(roll() < 0.2)
      else if (what < 0.75) await drag()
      else if (line) await breakOff()
      else await connect()
    }
    await pass(60_000)
    while (pending.length > 0) await spread(false)
    if (line) await breakOff()
    await connect()
    await until(() => {
      read()
      expect([...committed].filter((id) => !received.has(id))).toEqual([])
    })
  },
  60_000,
)
