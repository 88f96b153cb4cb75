import { afterEach, expect, test } from 'vitest'
import { lookSweep, roomOf, shardForNewTenant } from '../../src/auth/directory/placement.ts'
import { MINUTE, travel } from '../support/clock.ts'
import { interrupted } from '../support/interrupted.ts'
import { SHARDS, withDatabases } from '../support/shards.ts'
import { newTenant, system } from '../support/world.ts'

const directory = system.database('00')
const GB = 1024 ** 3
const EMPTY = { bytes: 0, audit_bytes: 0, requests: 0, usable: 1, missing_tenants: 0 }

/** What the sweep saw of each shard, by now. */
async function seen(states: Record<string, Partial<typeof EMPTY>>): Promise<void> {
  await directory.batch([
    directory.statement('delete from shard_states'),
    ...Object.entries(states).map(([shard, state]) => {
      const { bytes, audit_bytes, requests, usable } = { ...EMPTY, ...state }
      return directory.statement(
        'insert into shard_states (shard, seen_at, bytes, audit_bytes, requests, usable) values (:shard, :seen_at, :bytes, :audit_bytes, :requests, :usable)',
        { shard, seen_at: system.now(), bytes, audit_bytes, requests, usable },
      )
    }),
  ])
}
const closing = (...closedShards: string[]) => ({ ...system, config: { ...system.config, closedShards } })

afterEach(() => seen({}))

test.each([
  ['an empty shard', {}, 1],
  ['half a database', { bytes: 5 * GB }, 0.5],
  ['a full audit database', { bytes: GB, audit_bytes: 10 * GB }, 0],
  ['250 requests a second', { requests: 250 * 300, bytes: GB }, 0.75],
])('the room of %s is what its scarcest has left', (_, state, room) => {
  expect(roomOf({ shard: '00', seen_at: 0, ...EMPTY, ...state })).toBeCloseTo(room)
})

test('a new tenant goes to the shard with the most room', async () => {
  await seen({ '00': { bytes: 4 * GB }, '01': { bytes: 2 * GB }, '02': { bytes: GB, requests: 900 * 300 } })
  expect(await shardForNewTenant(system)).toBe('01')
})

test('not to one that is closed, that is not well, or that nobody has looked at for a while', async () => {
  await seen({ '00': { bytes: 4 * GB }, '01': { bytes: 2 * GB }, '02': {} })
  expect(await shardForNewTenant(system)).toBe('02')
  expect(await shardForNewTenant(closing('02'))).toBe('01')
  expect(await shardForNewTenant(closing('02', '01'))).toBe('00')
  await seen({ '00': { bytes: 4 * GB }, '01': { bytes: 2 * GB }, '02': { usable: 0 } })
  expect(await shardForNewTenant(system)).toBe('01')
  travel(15 * MINUTE)
  await directory.write('update shard_states set seen_at = :seen_at where shard = :shard', {
    seen_at: system.now(),
    shard: '00',
  })
  expect(await shardForNewTenant(system)).toBe('00')
})

test('to the first open one while nobody has looked; 403 where all are closed', async () => {
  await seen({})
  expect(await shardForNewTenant(system)).toBe('00')
  expect(await shardForNewTenant(closing('00'))).toBe('01')
  await expect(shardForNewTenant(closing(...SHARDS))).rejects.toMatchObject({ code: 'forbidden' })
})

test('one shard is no choice, and costs no read', async () => {
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const alone = { ...system, shards: ['00'], database: () => directory.metered(meter) }
  expect([await shardForNewTenant(alone), meter.roundTrips]).toEqual(['00', 0])
})

test('the sweep looks at size, rate and migrations of each shard; one that fails is not usable', async () => {
  const tenant = await newTenant({ shard: '02' })
  const audit = system.auditDatabase('02')
  const at = system.now() - (system.now() % (5 * MINUTE)) - 5 * MINUTE
  await audit.write(
    `insert into usage_counts (tenant_id, at, user_id, operation, outcome, count) values (:tenant, :at, :user, 'x', 'ok', 1000)`,
    { tenant: tenant.tenantId, at, user: tenant.userId },
  )
  await directory.write('delete from shard_states')
  await lookSweep.run(system)
  const states = await directory.all<{ shard: string; bytes: number; requests: number }>(
    'select * from shard_states order by shard',
  )
  expect(states).toMatchObject(SHARDS.map((shard) => ({ shard, usable: 1 })))
  for (const { bytes } of states) expect(bytes).toBeGreaterThan(100_000)
  expect(states[2]?.requests).toBeGreaterThanOrEqual(1_000)

  const down = withDatabases(
    { '01': interrupted(() => Promise.reject(new Error('down')), '01') },
    {
      auditDatabase: (shard) => {
        if (shard === '01') throw new Error('down')
        return system.auditDatabase(shard)
      },
      log: { info: () => {}, error: () => {} },
    },
  )
  await expect(lookSweep.run(down)).rejects.toThrow('directory.look failed in 1 shards')
  expect(await directory.all('select shard, usable from shard_states order by shard')).toEqual([
    { shard: '00', usable: 1 },
    { shard: '01', usable: 0 },
    { shard: '02', usable: 1 },
  ])

  const lines: unknown[] = []
  const log = { info: () => {}, error: (line: unknown) => void lines.push(line) }
  const auditDatabase = (shard: string) => (shard === '01' ? system.database('01') : system.auditDatabase(shard))
  await lookSweep.run({ ...system, shards: ['00', '01'], auditDatabase, log })
  expect(lines).toEqual([{ event: 'directory.shard_behind', shard: '01' }])
  expect(await directory.first('select usable from shard_states where shard = :shard', { shard: '01' })).toEqual({
    usable: 0,
  })
})
