import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { reindex, reportOf } from '../../tools/audit-index.ts'
import type { Databases } from '../../tools/directory.ts'
import { ROOT } from '../../tools/wrangler.ts'

let database: DatabaseSync
beforeEach(() => {
  database = new DatabaseSync(':memory:')
  for (const file of globSync('migrations/audit/*.sql', { cwd: ROOT }).sort())
    database.exec(readFileSync(join(ROOT, file), 'utf8'))
})
afterEach(() => database.close())

const databases: Databases = {
  shards: ['00'],
  read: async (_, sql) => database.prepare(sql).all() as Record<string, string | number | null>[],
  write: async (_, statements) => statements.forEach((sql) => database.exec(sql)),
}

/** A clock that sweeps run on: `sweep` is called each time the tool has waited. */
function clockOf(sweep: (looks: number) => void) {
  let [now, looks] = [1_000, 0]
  return {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms
      sweep((looks += 1))
    },
  }
}
const runs = () => database.prepare('select count(*) as runs from audit_reindexes').get()

test('a run is asked for, waited for and reported; a second call asks for another', async () => {
  const clock = clockOf((looks) => {
    const end = looks === 3 ? ', finished_at = 9' : ''
    database.exec(
      `update audit_reindexes set objects = ${looks}, restored = 1, after_key = '${looks}'${end} where finished_at is null`,
    )
  })
  const run = await reindex(databases, '00', clock)
  expect(reportOf('00', run)).toBe(
    'Shard 00: of 3 objects, 1 were restored to the index, 0 have rows that lists find elsewhere, 0 are past their retention. 0 pages were deleted from the database because objects contain them.',
  )
  expect(reportOf('00', { ...run, unreadable: 2 })).toContain('2 do not match their keys')
  const finish = clockOf(() => database.exec('update audit_reindexes set finished_at = 10 where finished_at is null'))
  await finish.sleep(100_000)
  expect(await reindex(databases, '00', finish)).toMatchObject({ objects: 0 })
  expect(runs()).toEqual({ runs: 2 })
})

test('a run that is under way is joined, and one that nobody works on is told of', async () => {
  database.exec('insert into audit_reindexes (started_at) values (5)')
  const idle = clockOf(() => {})
  await expect(reindex(databases, '00', idle)).rejects.toThrow('Shard 00: no progress')
  const clock = clockOf(() => database.exec('update audit_reindexes set finished_at = 10'))
  expect(await reindex(databases, '00', clock)).toMatchObject({ finished_at: 10 })
  expect(runs()).toEqual({ runs: 1 })
})
