/** @module-tag long */
import { expect, test } from 'vitest'
import type { Meter } from '../src/core/database/meter.ts'
import { sweeps } from '../src/cron.ts'
import { ctxOf, embedded } from './support/search.ts'
import { db, newTenant, system } from './support/world.ts'

/** Rows that each sweep reads. */
async function rowsRead(): Promise<Map<string, number>> {
  const read = new Map<string, number>()
  for (const one of sweeps) {
    const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    const metered = {
      database: () => db.metered(meter),
      auditDatabase: () => system.auditDatabase('00').metered(meter),
    }
    await one.run({ ...system, ...metered })
    read.set(one.name, meter.rowsRead)
  }
  return read
}

/** Fewest rows that each sweep read in three rounds: what other tests left to do falls due at any time. */
async function fewestRows(): Promise<Map<string, number>> {
  const fewest = await rowsRead()
  for (let round = 0; round < 2; round++) {
    for (const [name, rows] of await rowsRead()) fewest.set(name, Math.min(rows, fewest.get(name) ?? rows))
  }
  return fewest
}

test('a sweep of which nothing is due reads as few rows however much is stored', async () => {
  // Items of other tests that wait, some for a model that never answers, become more and fewer all the time.
  await db.write(
    `delete from memory_items where embedding_status <> 'completed' or embedding_model is not :model or embedding_dimension is not :dimension`,
    { model: system.embedder.model, dimension: system.embedder.dimension },
  )
  const before = await fewestRows()
  const user = await newTenant()
  for (let batch = 0; batch < 6; batch++) {
    await embedded(
      ctxOf(user),
      Array.from({ length: 50 }, (_, nth) => `Text ${nth} of batch ${batch}.`),
    )
  }
  const readMore = async () => [...(await fewestRows())].filter(([name, rows]) => rows - (before.get(name) ?? 0) >= 100)
  await expect.poll(readMore).toEqual([])
})
