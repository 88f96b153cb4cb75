import { expect, onTestFinished, test, vi } from 'vitest'
import { sweepingConsumer, sweepMinute, sweeps } from '../../src/cron.ts'
import type { QueueConsumer, Sweep } from '../../src/core/queue.ts'
import { messageOf } from '../support/queue-message.ts'
import { SHARDS } from '../support/shards.ts'
import { system } from '../support/world.ts'

const MINUTE_MS = 60_000
const minute = Math.floor(system.now() / MINUTE_MS)

/** A system whose queue records what it gets, beside two sweeps that record where they ran. */
function rig(send = async () => {}) {
  const sent: unknown[] = []
  const ran: string[] = []
  const lines: string[] = []
  const log = { info: () => {}, error: ({ event }: { event: string }) => void lines.push(event) }
  const queues: typeof system.queues = {
    send: async (queue, bodies) => {
      await send()
      sent.push(...bodies.map((body) => [queue, body]))
    },
  }
  const real = sweeps.splice(0)
  const sharded: Sweep = {
    name: 'sharded',
    everyMinutes: 1,
    run: async () => expect.fail('a message or this invocation runs it in each shard'),
    runIn: async (_system, shard) => {
      if (shard === '01') throw new Error('down')
      ran.push(`sharded ${shard}`)
    },
  }
  const shared: Sweep = { name: 'shared', everyMinutes: 1, run: async () => void ran.push('shared') }
  const seldom: Sweep = { ...sharded, name: 'seldom', everyMinutes: minute + 7 }
  sweeps.push(sharded, shared, seldom)
  onTestFinished(() => void sweeps.splice(0, sweeps.length, ...real))
  return { changed: { ...system, queues, log }, sent, ran, lines }
}

const bodyOf = (shard: string, at = minute) => ({ kind: 'sweep', shard, minute: at })

test('each shard has a message of its own, and what is about no shard runs at once', async () => {
  const { changed, sent, ran } = rig()
  await sweepMinute(changed, minute)
  expect(sent).toEqual(SHARDS.map((shard) => ['purge', bodyOf(shard)]))
  expect(ran).toEqual(['shared'])
})

test('one shard needs no message', async () => {
  const { changed, sent, ran } = rig()
  await sweepMinute({ ...changed, shards: ['00'] }, minute)
  expect([sent, ran]).toEqual([[], ['shared', 'sharded 00']])
})

test('where the queue takes nothing, the invocation does all of it, beginning with another shard each minute', async () => {
  const { changed, ran, lines } = rig(() => Promise.reject(new Error('away')))
  const first = minute - (minute % SHARDS.length)
  await sweepMinute(changed, first)
  expect([ran, lines]).toEqual([
    ['shared', 'sharded 00', 'sharded 02'],
    ['work.not_sent', 'sweep.failed'],
  ])
  await sweepMinute(changed, first + 2)
  expect(ran.slice(3)).toEqual(['shared', 'sharded 02', 'sharded 00'])
})

const others = () => ({
  consume: vi.fn<QueueConsumer['consume']>(async () => []),
  onDeadLetters: vi.fn<QueueConsumer['onDeadLetters']>(async () => {}),
})

test('an invocation has the sweeps of one shard; the rest of its batch goes back without using up an attempt', async () => {
  const { changed, sent, ran } = rig()
  const purge = others()
  const batch = [{ kind: 'tombstones', shard: '00' }, bodyOf('02'), bodyOf('00')].map((body) => messageOf(body))
  const left = await sweepingConsumer(purge).consume(changed, batch)
  expect(ran).toEqual(['sharded 02'])
  expect(new Set(left)).toEqual(new Set([{ kind: 'tombstones', shard: '00' }, bodyOf('00')]))
  expect(sent).toEqual([])
  expect(purge.consume).not.toHaveBeenCalled()
  for (const message of batch) expect(message.retry).not.toHaveBeenCalled()
})

test('a batch without sweeps is that of the other consumer, and so are dead letters', async () => {
  const { changed, sent } = rig()
  const purge = others()
  const batch = [messageOf({ kind: 'tombstones', shard: '00' })]
  await sweepingConsumer(purge).consume(changed, batch)
  await sweepingConsumer(purge).onDeadLetters(changed, [...batch, messageOf(bodyOf('01'))])
  expect([purge.consume.mock.calls[0]?.[1], purge.onDeadLetters.mock.calls[0]?.[1], sent]).toEqual([batch, batch, []])
})

test('a sweep that fails in its shard is logged, and a message that is late has successors', async () => {
  const { changed, ran, lines } = rig()
  await sweepingConsumer(others()).consume(changed, [messageOf(bodyOf('01'))])
  expect(lines).toEqual(['sweep.failed'])
  await sweepingConsumer(others()).consume(changed, [messageOf(bodyOf('02', minute - 12))])
  expect(ran).toEqual([])
})

test('every sweep of the service runs in each shard', async () => {
  const lines: string[] = []
  const log = { info: () => {}, error: ({ event }: { event: string }) => void lines.push(event) }
  for (const shard of SHARDS) for (const one of sweeps) if (one.runIn) await one.runIn({ ...system, log }, shard)
  expect(lines).toEqual([])
})
