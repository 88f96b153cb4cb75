import { expect, test } from 'vitest'
import { storeGauges } from '../../../src/reference/metrics/gauges.ts'
import { measureSweeps } from '../../../src/reference/metrics/measure.ts'
import type { System } from '../../../src/core/context.ts'
import { auditInsert, figuresDatabase } from '../../../src/audit/index.ts'
import { auditRowOf } from '../../support/audit.ts'
import { archiving, arrangeRows, moveDue, storesOf } from '../../support/audit-objects.ts'
import { DAY, MINUTE, travel } from '../../support/clock.ts'
import { METRICS_TOKEN, scrape } from '../../support/metrics.ts'
import { until } from '../../support/until.ts'
import { db, newTenant, system } from '../../support/world.ts'

const audit = figuresDatabase(system)

let years = 10
/** Far from what other tests left, and after it: the newest gauge counts. */
const nextYear = () => travel(++years * 365 * DAY)

async function measure(changes: Partial<System> = {}): Promise<void> {
  for (const sweep of measureSweeps) await sweep.run({ ...system, metricsToken: METRICS_TOKEN, ...changes })
}

test('a sweep measures backlogs with the age of the oldest, sizes and queues, and the audit lag follows', async () => {
  nextYear()
  const row = auditRowOf(await newTenant())
  await db.write('delete from audit_outbox')
  await db.batch([auditInsert(system, db, row)])
  travel(90_000)
  const sentAt = system.now() - 30_000
  const queue = { messages: 0, oldestAt: null }
  await measure({
    queueBacklogs: async () => ({
      embed: { messages: 7, oldestAt: sentAt },
      purge: queue,
      events: queue,
      delivery: queue,
      audit: queue,
    }),
  })
  const now = await scrape()
  const of = (name: string, labels: string) => now.get(`recollect_${name}{${labels}}`)
  expect(of('backlog', 'shard="00",kind="audit"')).toBe(1)
  expect(of('backlog_oldest_age_seconds', 'shard="00",kind="audit"')).toBe(90)
  expect(of('queue_messages', 'queue="embed"')).toBe(7)
  expect(of('queue_oldest_age_seconds', 'queue="embed"')).toBe(30)
  expect(of('queue_oldest_age_seconds', 'queue="audit"')).toBe(0)
  expect(of('database_size_bytes', 'shard="00",database="main"')).toBeGreaterThan(10_000)
  expect(of('database_size_bytes', 'shard="00",database="audit"')).toBeGreaterThan(10_000)
  expect(now.get('recollect_audit_lag_seconds')).toBe(90)
  expect(of('measured_age_seconds', 'shard="00"')).toBe(0)
  await db.write('delete from audit_outbox where id = :id', { id: row.id })
  travel(60_000)
  await measure()
  const later = await scrape()
  expect(later.get('recollect_backlog{shard="00",kind="audit"}')).toBe(0)
  expect(later.get('recollect_backlog_oldest_age_seconds{shard="00",kind="audit"}')).toBe(0)
})

test('a shard that does not answer keeps what was measured before, and the age of it grows', async () => {
  nextYear()
  await measure()
  travel(300_000)
  const down = () => {
    throw new Error('down')
  }
  await expect(measure({ database: down })).rejects.toThrow('failed in 1 shards')
  expect((await scrape()).get('recollect_measured_age_seconds{shard="00"}')).toBe(300)
})

test('of two sweeps at once the later instant counts', async () => {
  const gauge = (value: number) => [{ family: 'queue_messages' as const, labels: ['test'], value }]
  const now = system.now()
  await storeGauges(audit, now + 1, gauge(5))
  await storeGauges(audit, now, gauge(4))
  expect(await audit.first(`select value from gauges where labels = 'test'`)).toEqual({ value: 5 })
})

test('nothing is measured where nobody may read it', async () => {
  nextYear()
  await measure({ metricsToken: null })
  expect(await audit.all('select 1 from gauges where at >= :at', { at: system.now() })).toEqual([])
})

test('with a bucket, the age of the oldest page that was not moved is measured, and what was moved is counted', async () => {
  nextYear()
  const tenant = await newTenant()
  const series = 'recollect_audit_oldest_page_age_seconds{shard="00"}'
  await audit.write('delete from gauges where family = :family', { family: 'audit_page_since' })
  await measure()
  expect((await scrape()).has(series)).toBe(false)
  await audit.write('delete from audit_pages')
  travel(MINUTE)
  const { system: by } = archiving({}, { metricsToken: METRICS_TOKEN })
  await measure({ auditObjects: by.auditObjects })
  expect((await scrape()).get(series)).toBe(0)
  await arrangeRows(tenant, [system.now() - 90_000, system.now() - 60_000])
  travel(MINUTE)
  await measure({ auditObjects: by.auditObjects })
  const before = await scrape()
  expect(before.get(series)).toBe(150)
  await moveDue({ ...by, now: () => system.now() + 3 * DAY })
  const [object] = (await storesOf(tenant)).objects
  await until(
    async () => {
      travel(MINUTE)
      const now = await scrape()
      const grown = ['objects', 'object_bytes', 'object_rows'].map((name) => {
        const one = `recollect_audit_${name}_total{shard="00"}`
        return (now.get(one) ?? 0) - (before.get(one) ?? 0)
      })
      expect(grown).toEqual([1, object?.bytes, 2])
    },
    { everyMs: 100 },
  )
})
