import { figuresDatabase, oldestPage } from '../../audit/index.ts'
import type { System } from '../../core/context.ts'
import { shardSweep, type Sweep } from '../../core/queue.ts'
import { countBacklogs } from '../backlogs.ts'
import { storeGauges, type Gauge } from './gauges.ts'

/**
 * Measures each minute what `GET /metrics` tells of databases and queues, so that no scrape asks every shard. Does
 * nothing where nobody may read it.
 */
export const measureSweeps: Sweep[] = [
  shardSweep('metrics.measure_shard', 1, async (system, db, shard) => {
    if (system.metricsToken === null) return
    const auditDb = system.auditDatabase(shard)
    const [backlogs, main, audit, oldest] = await Promise.all([
      countBacklogs(system, db),
      db.size(),
      auditDb.size(),
      system.auditObjects && oldestPage(auditDb, 0),
    ])
    await storeGauges(figuresDatabase(system), system.now(), [
      ...backlogs.flatMap(({ kind, waiting, oldest_at }): Gauge[] => [
        { family: 'backlog', labels: [shard, kind], value: waiting },
        { family: 'backlog_since', labels: [shard, kind], value: oldest_at ?? 0 },
      ]),
      { family: 'database_bytes', labels: [shard, 'main'], value: main },
      { family: 'database_bytes', labels: [shard, 'audit'], value: audit },
      ...(system.auditObjects ? [{ family: 'audit_page_since', labels: [shard], value: oldest ?? 0 } as const] : []),
    ])
  }),
  {
    name: 'metrics.measure_queues',
    everyMinutes: 1,
    run: async (system: System) => {
      if (system.metricsToken === null) return
      const queues = Object.entries(await system.queueBacklogs())
      const gauges = queues.flatMap(([queue, { messages, oldestAt }]): Gauge[] => [
        { family: 'queue_messages', labels: [queue], value: messages },
        { family: 'queue_since', labels: [queue], value: oldestAt ?? 0 },
      ])
      await storeGauges(figuresDatabase(system), system.now(), gauges)
    },
  },
]
