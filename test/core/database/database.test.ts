import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tenants } from '../../../src/auth/table.ts'
import { violatedConstraint } from '../../../src/core/database/d1-errors.ts'
import { Database } from '../../../src/core/database/database.ts'
import type { Meter } from '../../../src/core/database/meter.ts'
import { query } from '../../../src/core/database/query.ts'

const db = new Database(env.DB)
beforeEach(async () => {
  await db.write('create table things (id text primary key, n integer)')
})
afterEach(async () => {
  await db.write('drop table things')
})

test('a batch is all or nothing', async () => {
  const insert = (id: string) => db.statement('insert into things (id, n) values (:id, 1)', { id })
  await expect(db.batch([insert('a'), insert('a')])).rejects.toThrow(/UNIQUE/)
  expect(await db.all('select * from things')).toEqual([])
})

test('a violated constraint is named by table and column, anything else is null', async () => {
  await db.write("insert into things (id) values ('taken')")
  const error = await db.write("insert into things (id) values ('taken')").catch((reason: unknown) => reason)
  expect(violatedConstraint(error)).toBe('things.id')
  expect(violatedConstraint(new Error('no such table'))).toBeNull()
})

test('a meter counts round trips and rows read', async () => {
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const metered = db.metered(meter)
  await db.write("insert into things (id) values ('taken')")
  await metered.first("select * from things where id = 'taken'")
  await metered.batch([metered.statement('select 1'), metered.statement("insert into things (id) values ('b')")])
  expect(meter.roundTrips).toBe(2)
  expect(meter.rowsRead).toBeGreaterThan(0)
  expect(meter.rowsWritten).toBeGreaterThan(0)
})

test('a database that does not answer is a 503, not a 500', async () => {
  const overloaded = {
    prepare: () => ({
      bind: () => ({ all: () => Promise.reject(new Error('D1 DB is overloaded. Requests queued for too long.')) }),
    }),
  }
  await expect(new Database(overloaded as unknown as D1Database).all('select :one', { one: 1 })).rejects.toEqual(
    expect.objectContaining({ code: 'dependency_unavailable', headers: { 'Retry-After': '5' } }),
  )
})

test('no parameter stands where SQLite would compile the statement again for its value', () => {
  const prepared: string[] = []
  const statement = { bind: () => statement }
  const recording = new Database({
    prepare: (sql: string) => {
      prepared.push(sql)
      return statement
    },
  } as unknown as D1Database)
  // The same text is prepared once.
  for (const id of [1, 2]) recording.statement('select * from a where a.id = :id limit :most', { id, most: 2 })
  recording.statement(
    query((q, by: { id: string }) => q.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, by.id))),
    { id: 'ten_1' },
  )
  expect(prepared).toEqual([
    'select * from a where a.id=+?1 limit +?2',
    'select "id" from "tenants" where "tenants"."id" = +?',
  ])
})

test.each([
  ['text', '1'],
  ['number', 1],
  ['blob', new Uint8Array([49])],
  ['null', null],
])('a parameter of type %s is written and found as it is', async (kind, value) => {
  await db.write('create table if not exists kinds (kind text, value blob)')
  await db.write('insert into kinds (kind) values (:kind)', { kind })
  await db.write('update kinds set value = :value where kind = :kind', { value, kind })
  const FOUND = 'select kind from kinds where value = :value or (:value is null and value is null)'
  expect(await db.all(FOUND, { value })).toEqual([{ kind }])
})
