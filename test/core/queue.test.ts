import { expect, test } from 'vitest'
import { forEachShard, retrySeconds, shardSweep } from '../../src/core/queue.ts'
import { messageOf } from '../support/queue-message.ts'
import { system } from '../support/world.ts'

test('a sweep of shards works on one database after the other', async () => {
  const seen: [string, unknown][] = []
  let running = 0
  const sweep = shardSweep('test', 5, async (_system, db, shard) => {
    running += 1
    expect(running).toBe(1)
    await Promise.resolve()
    running -= 1
    seen.push([shard, db])
  })
  const databases = {
    a: system.database('00'),
    b: system.database('00').metered({ roundTrips: 0, rowsRead: 0, rowsWritten: 0 }),
  }
  const database = (shard: string) => (shard === 'a' ? databases.a : databases.b)
  await sweep.run({ ...system, shards: ['a', 'b'], database })
  expect(sweep).toMatchObject({ name: 'test', everyMinutes: 5 })
  expect(seen).toEqual([
    ['a', databases.a],
    ['b', databases.b],
  ])
})

test('a message whose work failed waits longer each time, up to a minute', () => {
  const waits = [1, 2, 3, 20].map((attempts) => retrySeconds({ ...messageOf({}), attempts }))
  expect(waits).toEqual([...waits].sort((a, b) => a - b))
  expect(waits.at(-1)).toBe(60)
})

const shards = ['00', '01', '02']
const messages = (...bodies: unknown[]) => bodies.map((body) => messageOf(body))

test('a batch is worked off shard by shard; a message that names none is for every shard, once', async () => {
  const batch = messages({ shard: '01', n: 1 }, { n: 2 }, { shard: '02', n: 3 }, { shard: '01', n: 4 }, null)
  const seen: Record<string, unknown[]> = {}
  await forEachShard({ ...system, shards }, batch, async (shard, own) => {
    seen[shard] = own.map(({ body }) => body)
  })
  expect(seen).toEqual({
    '00': [{ n: 2 }, null],
    '01': [{ shard: '01', n: 1 }, { n: 2 }, { shard: '01', n: 4 }, null],
    '02': [{ n: 2 }, { shard: '02', n: 3 }, null],
  })
  for (const message of batch) expect(message.retry).not.toHaveBeenCalled()
})

test('a shard that fails has its messages tried again, once each, and no other', async () => {
  const batch = messages({ shard: '01' }, { shard: '02' }, {})
  const lines: unknown[] = []
  const log = { info: () => {}, error: (line: unknown) => void lines.push(line) }
  const done: string[] = []
  await forEachShard({ ...system, shards, log }, batch, async (shard) => {
    if (shard !== '02') throw new Error('down')
    done.push(shard)
  })
  expect(done).toEqual(['02'])
  expect(batch.map(({ retry }) => retry.mock.calls.length)).toEqual([1, 0, 1])
  expect(lines).toEqual(
    ['01', '00'].map((shard) => ({ event: 'queue.shard_failed', shard, messages: shard === '01' ? 2 : 1 })),
  )
})

test('a sweep whose shard fails goes on with the others, and then fails', async () => {
  const done: string[] = []
  const sweep = shardSweep('test', 1, async (_system, _db, shard) => {
    if (shard === '01') throw new Error('down')
    done.push(shard)
  })
  const work = sweep.run({ ...system, shards, database: () => system.database('00') })
  await expect(work).rejects.toThrow('test failed in 1 shards')
  expect(done).toEqual(['00', '02'])
})
