import { expect, test } from 'vitest'
import { sweepingConsumer, sweepMinute, sweeps } from '../../src/cron.ts'
import { auditConsumer } from '../../src/audit/index.ts'
import { emptyMessage } from '../../src/audit/message.ts'
import type { System } from '../../src/core/context.ts'
import type { ObjectHead } from '../../src/core/ports.ts'
import { MAX_QUERIES } from '../../src/core/database/query-budget.ts'
import { budgeted, type QueueConsumer } from '../../src/core/queue.ts'
import { firstShards } from '../../src/core/shards.ts'
import { eventConsumer } from '../../src/events/index.ts'
import { embedConsumer, purgeConsumer } from '../../src/memory/index.ts'
import { bottomless } from '../support/bottomless.ts'
import { MINUTE } from '../support/clock.ts'
import { fakeTimers } from '../support/fake-timers.ts'
import { messageOf } from '../support/queue-message.ts'
import { METRICS_TOKEN } from '../support/metrics.ts'
import { system } from '../support/world.ts'

/** Half of what D1 takes, and the portion that was begun before. */
const MAX_OF_SWEEP = 700

/** The databases answer at once, and the deadlines of so many calls are more timers than the isolate of the tests may have. */
const withoutDeadlines = () => fakeTimers('setTimeout')

const UNREADABLE = new Set(['audit.object_unreadable', 'erasures.receipt_unreadable'])

/** An invocation among a hundred shards, each of which has always more to do, without objects and models that it could call. */
function endlessWork(shards = firstShards(100)) {
  const { asked, databases } = bottomless()
  const sent: { queue: string; body: any }[] = []
  const faults: string[] = []
  const objects = new Map<string, ObjectHead>()
  const changes: Partial<System> = {
    auditObjects: {
      put: async (key, { byteLength: bytes }, sha256) => void objects.set(key, { bytes, sha256 }),
      head: async (key) => objects.get(key) ?? null,
      get: async () => null,
      list: async (prefix) => ({
        keys: Array.from({ length: 1_000 }, (_, nth) => ({ key: `${prefix}${nth}`, uploadedAt: 0 })),
        hasMore: true,
      }),
      delete: async () => {},
    },
    shards,
    metricsToken: METRICS_TOKEN,
    log: {
      info: () => {},
      // No object is in the bucket.
      error: ({ event }, cause) => void (!UNREADABLE.has(event) && faults.push(`${event} ${String(cause)}`)),
    },
    queues: { send: async (queue, bodies) => void sent.push(...bodies.map((body) => ({ queue, body }))) },
    hub: () => ({
      ...system.hub('00-none'),
      deny: async () => {},
      push: async () => {},
      missingSockets: async (ids) => [...ids],
    }),
    projectVectors: () => ({ ...system.projectVectors('none', '00'), items: async () => [], remove: async () => {} }),
    queueBacklogs: async () => ({
      embed: { messages: 0, oldestAt: null },
      purge: { messages: 0, oldestAt: null },
      events: { messages: 0, oldestAt: null },
      delivery: { messages: 0, oldestAt: null },
      audit: { messages: 0, oldestAt: null },
    }),
    waitUntil: () => {},
  }
  return { asked, sent, faults, work: budgeted({ ...databases, ...changes }) }
}

test.each(sweeps.map((one) => ({ name: one.name, one })))(
  'the sweep $name asks a bounded number of queries of an invocation, however much is due in each of 100 shards',
  async ({ one }) => {
    withoutDeadlines()
    const { asked, faults, work } = endlessWork()
    await (one.runIn ? one.runIn(work, '07') : one.run(work))
    expect(faults).toEqual([])
    expect(asked.length).toBeLessThanOrEqual(MAX_OF_SWEEP)
    expect(asked.length).toBeGreaterThan(0)
  },
)

const ids = (shard: string, many: number) => Array.from({ length: many }, (_, id) => `id-${shard}-${id}`)
const SHARDS_OF_BATCH = firstShards(100)

/** The largest batch of each queue (wrangler.toml), a message for each shard or so many of one. */
const BATCHES: [queue: string, consumer: QueueConsumer, bodies: unknown[]][] = [
  ['events', eventConsumer, SHARDS_OF_BATCH.map((shard) => ({ shard, ids: ids(shard, 50) }))],
  [
    'events of one shard',
    eventConsumer,
    Array.from({ length: 100 }, (_, n) => ({ shard: '01', ids: ids(`${n}`, 50) })),
  ],
  ['embed', embedConsumer, SHARDS_OF_BATCH.map((shard) => ({ kind: 'embed', shard, ids: ids(shard, 100) }))],
  [
    'embed of one shard',
    embedConsumer,
    Array.from({ length: 100 }, (_, n) => ({ kind: 'embed', shard: '01', ids: ids(`${n}`, 100) })),
  ],
  ['purge', purgeConsumer, SHARDS_OF_BATCH.slice(0, 10).map((shard) => ({ kind: 'tombstones', shard }))],
  ['purge of projects', purgeConsumer, ids('02', 10).map((id) => ({ kind: 'project', shard: '02', project_id: id }))],
  [
    'audit',
    auditConsumer,
    SHARDS_OF_BATCH.slice(0, 50).map((shard) => ({ ...emptyMessage(shard), id: `aud_${shard}`, moves: [shard] })),
  ],
]

test.each(BATCHES)(
  'a full batch of the queue %s stays below the limit of D1, and nothing of it is lost',
  async (_, consumer, bodies) => {
    withoutDeadlines()
    const { asked, sent, faults, work } = endlessWork()
    const messages = bodies.map((body) => messageOf(body))
    const left = await consumer.consume(work, messages)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.length).toBeLessThanOrEqual(MAX_QUERIES)
    expect(faults).toEqual([])
    for (const message of messages) expect(message.retry).not.toHaveBeenCalled()
    // What is left names its shard, and is less than what came.
    const shards = new Set(bodies.map((body) => Object(body).shard))
    const sentOn = sent.filter(({ queue }) => queue === 'purge').map(({ body }) => body)
    for (const body of [...left, ...sentOn]) expect(shards).toContain(Object(body).shard)
    expect(left.length).toBeLessThan(bodies.length)
  },
)

const midnight = Math.floor(system.now() / 86_400_000) * 1_440

/** The sweeps of one minute in invocation after invocation, until no message is left; answers the queries of each. */
async function chainOf(shards: string[]): Promise<number[]> {
  const queries: number[] = []
  let { asked, sent, work } = endlessWork(shards)
  // Each invocation takes so long that a chain is over after some of them.
  const now = () => midnight * MINUTE + queries.length * 10_000
  await sweepMinute({ ...work, now }, midnight)
  queries.push(asked.length)
  for (let waiting = sent.filter(({ queue }) => queue === 'purge'); waiting.length > 0;) {
    const next = waiting.shift()
    if (next?.body.kind !== 'sweep') continue
    ;({ asked, sent, work } = endlessWork(shards))
    await sweepingConsumer(purgeConsumer).consume({ ...work, now }, [messageOf(next.body)])
    queries.push(asked.length)
    waiting.push(...sent.filter(({ queue }) => queue === 'purge'))
    if (queries.length > 40) throw new Error('the chain does not end')
  }
  return queries
}

test.each([1, 3])(
  'with %s shards no invocation of a busy minute passes the limit of D1, and its chain ends',
  async (n) => {
    withoutDeadlines()
    const queries = await chainOf(firstShards(n))
    expect(Math.max(...queries)).toBeLessThanOrEqual(MAX_QUERIES)
    // Every sweep had its turn, in more than one invocation.
    expect(queries.length).toBeGreaterThan(3)
  },
)
