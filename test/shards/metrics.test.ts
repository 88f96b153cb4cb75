import { expect, test } from 'vitest'
import { figuresDatabase } from '../../src/audit/index.ts'
import { MINUTE, travel } from '../support/clock.ts'
import { METRICS_TOKEN, newIsolate, scrape } from '../support/metrics.ts'
import { measureSweeps } from '../../src/reference/index.ts'
import { system } from '../support/world.ts'
import type { System } from '../../src/core/context.ts'

const shards = ['00', '01', '02']
const ofShard = (of: string) =>
  measureSweeps.filter(({ name }) => name === of)[0] ?? expect.fail(`there is no sweep ${of}`)
const measure = (changes: Partial<System> = {}) =>
  ofShard('metrics.measure_shard').run({ ...system, metricsToken: METRICS_TOKEN, ...changes })

test('each shard has its sizes and backlogs, all in the rows of the first one', async () => {
  travel(0)
  await measure()
  const now = await scrape()
  for (const shard of shards) {
    for (const database of ['main', 'audit'])
      expect(now.get(`recollect_database_size_bytes{shard="${shard}",database="${database}"}`)).toBeGreaterThan(10_000)
    expect(now.get(`recollect_backlog{shard="${shard}",kind="embedding"}`)).toBeGreaterThanOrEqual(0)
    expect(now.get(`recollect_measured_age_seconds{shard="${shard}"}`)).toBe(0)
  }
  const elsewhere = shards.slice(1).map((shard) => system.auditDatabase(shard).all('select 1 from gauges'))
  expect(await Promise.all(elsewhere)).toEqual([[], []])
  expect((await figuresDatabase(system).all('select 1 from gauges')).length).toBeGreaterThan(shards.length)
})

test('a shard that is down is measured no more, the others are, and a scrape still answers', async () => {
  travel(10 * MINUTE)
  await measure()
  travel(5 * MINUTE)
  const database: System['database'] = (shard) => {
    if (shard === '01') throw new Error('down')
    return system.database(shard)
  }
  await expect(measure({ database, log: { info: () => {}, error: () => {} } })).rejects.toThrow('failed in 1 shards')
  const now = await scrape(newIsolate({ DB_01: { prepare: () => expect.fail('a scrape asks no shard') } }))
  const ages = shards.map((shard) => now.get(`recollect_measured_age_seconds{shard="${shard}"}`))
  expect(ages).toEqual([0, 300, 0])
})
