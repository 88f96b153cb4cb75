import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Databases } from '../../tools/directory.ts'
import { eraseAgain, reportOf } from '../../tools/erase-again.ts'
import { ROOT } from '../../tools/wrangler.ts'

let database: DatabaseSync
beforeEach(() => {
  database = new DatabaseSync(':memory:')
  const [file = ''] = globSync('migrations/main/*_erasures.sql', { cwd: ROOT })
  database.exec(readFileSync(join(ROOT, file), 'utf8'))
})
afterEach(() => database.close())

const databases: Databases = {
  shards: ['00'],
  read: async (_, sql) => database.prepare(sql).all() as Record<string, string | number | null>[],
  write: async (_, statements) => statements.forEach((sql) => database.exec(sql)),
}

/** A clock that sweeps run on: `sweep` is called each time the tool has waited. */
function clockOf(sweep: () => void) {
  let now = 1_000
  return {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms
      sweep()
    },
  }
}

test('a run is asked for, waited for and reported', async () => {
  const clock = clockOf(() =>
    database.exec('update erasure_repeats set receipts = 3, repeated = 1, restored = 2, finished_at = 9'),
  )
  const run = await eraseAgain(databases, '00', clock)
  expect(reportOf('00', run)).toBe(
    'Shard 00: of 3 receipts, 1 are being erased again, and 2 are back in the database with nothing to erase.',
  )
  expect(reportOf('00', { ...run, unreadable: 1 })).toContain('1 could not be read')
})

test('a run that is under way is joined, and one that nobody works on is told of', async () => {
  database.exec("insert into erasure_repeats (started_at, after_key, receipts) values (5, 'receipts/7', 7)")
  await expect(
    eraseAgain(
      databases,
      '00',
      clockOf(() => {}),
    ),
  ).rejects.toThrow('Shard 00: no progress')
  // A restore can bring a run back that had come far, behind receipts of later.
  expect(database.prepare('select after_key, receipts from erasure_repeats').get()).toEqual({
    after_key: '',
    receipts: 0,
  })
  const clock = clockOf(() => database.exec('update erasure_repeats set finished_at = 10'))
  expect(await eraseAgain(databases, '00', clock)).toMatchObject({ finished_at: 10 })
  expect(database.prepare('select count(*) as runs from erasure_repeats').get()).toEqual({ runs: 1 })
})
