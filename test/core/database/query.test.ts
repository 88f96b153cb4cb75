import { env } from 'cloudflare:workers'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { expect, expectTypeOf, test } from 'vitest'
import { sessions, tenants } from '../../../src/auth/table.ts'
import { Database } from '../../../src/core/database/database.ts'
import type { Meter } from '../../../src/core/database/meter.ts'
import { query, wholeRow } from '../../../src/core/database/query.ts'

const db = new Database(env.DB)

const addTenant = query((q, one: { id: string; name: string; at: number }) =>
  q.insert(tenants).values({ id: one.id, name: one.name, created_at: one.at }).returning({ id: tenants.id }),
)
const tenantById = query((q, by: { id: string }) => q.select().from(tenants).where(eq(tenants.id, by.id)))
const newest = query((q, by: { name: string; limit: number }) =>
  q
    .select({ id: tenants.id })
    .from(tenants)
    .where(eq(tenants.name, by.name))
    .orderBy(desc(tenants.created_at))
    .limit(by.limit),
)
const rename = query((q, to: { id: string; name: string }) =>
  q.update(tenants).set({ name: to.name }).where(eq(tenants.id, to.id)).returning(),
)
const remove = query((q, by: { id: string }) => q.delete(tenants).where(eq(tenants.id, by.id)))

test('a select, an insert, an update and a delete are built once, bound by name and answer rows of the schema', async () => {
  const [added] = await db.write(addTenant, { name: 'One', id: 'ten_1', at: 5 })
  expect(added).toEqual({ id: 'ten_1' })
  await db.batch([db.statement(addTenant, { id: 'ten_2', name: 'One', at: 6 })])
  expect(await db.all(newest, { name: 'One', limit: 1 })).toEqual([{ id: 'ten_2' }])
  const row = await db.first(tenantById, { id: 'ten_1' })
  expectTypeOf(row).toEqualTypeOf<typeof tenants.$inferSelect | null>()
  expect(row).toEqual({ id: 'ten_1', name: 'One', created_at: 5, owner_id: null })
  expect(await db.write(rename, { id: 'ten_1', name: "'; drop table tenants; --" })).toEqual([
    { id: 'ten_1', name: "'; drop table tenants; --", created_at: 5, owner_id: null },
  ])
  await db.write(remove, { id: 'ten_1' })
  expect(await db.first(tenantById, { id: 'ten_1' })).toBeNull()
})

test('a query costs one round trip and is built once for all databases of the isolate', async () => {
  let built = 0
  const counted = query((q, by: { id: string }) => {
    built += 1
    return q.select().from(tenants).where(eq(tenants.id, by.id))
  })
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  for (const one of [db.metered(meter), new Database(env.DB).metered(meter)]) {
    await one.first(counted, { id: 'ten_none' })
    await one.first(counted, { id: 'ten_other' })
  }
  expect([built, meter.roundTrips]).toEqual([1, 4])
})

test('a null is bound as null, a literal of the query and a parameter in their places', async () => {
  const live = query((q, by: { user: string; cause: string | null }) =>
    q
      .select({ id: sessions.id, found: sql<number>`${by.cause} is null`.as('found') })
      .from(sessions)
      .where(and(isNull(sessions.revoked_at), eq(sessions.user_id, by.user), eq(sessions.id, 'ses_x'))),
  )
  expect(live.values({ cause: null, user: 'usr_1' })).toEqual([null, 'usr_1', 'ses_x'])
  expect(await db.all(live, { user: 'usr_1', cause: null })).toEqual([])
})

test('a field that is not named as its column is refused, since rows come as the database gives them', () => {
  const renamed = query((q, by: { id: string }) =>
    q.select({ tenantId: tenants.id }).from(tenants).where(eq(tenants.id, by.id)),
  )
  expect(() => db.statement(renamed, { id: 'ten_1' })).toThrow('the field "tenantId" is selected from "id"')
})

test('a parameter that is not given is an error, never an unbound value', () => {
  expect(() => db.statement(tenantById, {} as { id: string })).toThrow(/No value for placeholder "id"/)
})

test('a whole row is inserted with a placeholder for each column of its table', async () => {
  const insert = query((q, row: typeof tenants.$inferSelect) => q.insert(tenants).values(wholeRow(tenants, row)))
  const row = { id: 'ten_whole', name: 'Whole', created_at: 7, owner_id: null }
  await db.write(insert, row)
  expect(await db.first(tenantById, { id: row.id })).toEqual(row)
})
