/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import type { Database } from '../../../src/core/database/database.ts'
import { utf8 } from '../../../src/core/values/encoding.ts'
import { reindexSweep } from '../../../src/memory/keyword/reindex.ts'
import { ctxOf, embedded, stored } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { db, newTenant, system } from '../../support/world.ts'

/** What one run of the sweep does to items of a new project that are due: the items of each read, and each batch. */
async function swept(store: (ctx: AuthContext) => Promise<string[]>) {
  // Items that other tests left due have their turn before, in as many runs as they take.
  await until(async () => {
    const leftMore = system.shards.map(async (shard) => reindexSweep.runIn?.(system, shard))
    expect((await Promise.all(leftMore)).some(Boolean)).toBe(false)
  })
  const user = await newTenant()
  const ids = await store(ctxOf(user))
  await db.write('update memory_items set indexed_by = 1 where project_id = :project', { project: user.projectId })
  const steps: (string[] | 'batch')[] = []
  /** A database of which each read of due items and each batch is noted. */
  const noting = (own: Database): Database =>
    new Proxy(own, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (name === 'batch') {
          return async (...args: Parameters<Database['batch']>) => {
            steps.push('batch')
            return target.batch(...args)
          }
        }
        if (name !== 'all') return typeof value === 'function' ? value.bind(target) : value
        return async (sql: string) => {
          const rows = await target.all<{ id: string }>(sql)
          // Items that lack the key of a speaker have no id here.
          if (rows[0]?.id !== undefined) steps.push(rows.map(({ id }) => id))
          return rows
        }
      },
    })
  await reindexSweep.run({ ...system, database: (shard) => noting(system.database(shard)) })
  const due = await db.all('select 1 from memory_items where project_id = :project and indexed_by = 1', {
    project: user.projectId,
  })
  expect(due).toEqual([])
  return { newestFirst: ids.toReversed(), steps }
}

test('the sweep indexes 200 rows again in a batch, newest first, and goes on at once', async () => {
  const texts = Array.from({ length: 203 }, (_, at) => `kettle ${at}`)
  const { newestFirst, steps } = await swept((ctx) => embedded(ctx, texts))
  expect(steps).toEqual([newestFirst.slice(0, 200), 'batch', newestFirst.slice(200), 'batch'])
})

test('a portion of the sweep ends with the text that completes 128 KiB', async () => {
  const text = 'жук '.repeat(7_000)
  expect(utf8(text).byteLength).toBe(49_000)
  const { newestFirst, steps } = await swept(async (ctx) => {
    const ids: string[] = []
    while (ids.length < 5) ids.push((await stored(ctx, `${text}${ids.length}`)).id)
    return ids
  })
  expect(steps).toEqual([newestFirst.slice(0, 3), 'batch', newestFirst.slice(3), 'batch'])
})
