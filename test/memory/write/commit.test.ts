/** @module-tag shards */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { Database } from '../../../src/core/database/database.ts'
import type { Meter } from '../../../src/core/database/meter.ts'
import { isAppError } from '../../../src/core/errors.ts'
import { batch } from '../../../src/memory/operations/batch.ts'
import { StoreInput } from '../../../src/memory/item.ts'
import { deleteItem } from '../../../src/memory/operations/delete.ts'
import { retrieve } from '../../../src/memory/operations/retrieve.ts'
import { store } from '../../../src/memory/operations/store.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { interrupted } from '../../support/interrupted.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { db, newTenant } from '../../support/world.ts'

/** Costs of the work in round trips and rows read. */
async function costs(tenant: Parameters<typeof ctxOf>[0], work: (ctx: ReturnType<typeof ctxOf>) => Promise<unknown>) {
  const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  await work(ctxOf(tenant, { db: db.metered(meter) }))
  return meter
}
const text = (content: string, more: object = {}) => StoreInput.parse({ content, ...more })

test('a store is one round trip, with a custom_id two; a retrieve is one; none reads more for a larger table', async () => {
  const tenant = await newTenant()
  for (let part = 0; part < 10; part++) {
    const operations = Array.from({ length: 50 }, (_, n) => ({
      op: 'store',
      content: `filler ${part} ${n}`,
      tags: ['t'],
    }))
    await batch(ctxOf(tenant), { operations })
  }
  const plain = await costs(tenant, (ctx) => store(ctx, text('plain', { tags: ['a', 'b'] })))
  expect(plain.roundTrips).toBe(1)
  expect(plain.rowsRead).toBeLessThan(60)
  const named = await costs(tenant, (ctx) => store(ctx, text('named', { custom_id: 'c', deduplicate: true })))
  expect(named.roundTrips).toBe(2)
  expect(named.rowsRead).toBeLessThan(80)
  const { item } = await store(ctxOf(tenant), text('one more'))
  const read = await costs(tenant, (ctx) => retrieve(ctx, item))
  expect(read).toMatchObject({ roundTrips: 1, rowsWritten: 0 })
  expect(read.rowsRead).toBeLessThan(10)
  const changed = await costs(tenant, (ctx) => update(ctx, { id: item.id, input: { tags: ['x'] }, ifMatch: null }))
  expect(changed.roundTrips).toBe(2)
  expect(changed.rowsRead).toBeLessThan(80)
})

test('events follow who may retrieve their item, at a cost that the number of events does not raise', async () => {
  const tenant = await newTenant()
  const operations = Array.from({ length: 50 }, (_, n) => ({ op: 'store', content: `text ${n}` }))
  for (let part = 0; part < 4; part++) await batch(ctxOf(tenant), { operations })
  const { item } = await store(ctxOf(tenant), text('to be hidden'))
  const hide = { id: item.id, input: { visibility: 'private' as const }, ifMatch: null }
  const hidden = await costs(tenant, (ctx) => update(ctx, hide))
  expect(hidden.roundTrips).toBe(2)
  expect(hidden.rowsRead).toBeLessThan(100)
})

test('a batch of 50 stores is one round trip, of 50 mixed operations two, both in set-based statements', async () => {
  const tenant = await newTenant()
  const operations = Array.from({ length: 50 }, (_, n) => ({ op: 'store', content: `text ${n}` }))
  let ids: string[] = []
  const stores = await costs(tenant, async (ctx) => {
    ids = (await batch(ctx, { operations })).results.map(({ id }) => id ?? '')
  })
  expect(stores.roundTrips).toBe(1)
  expect(stores.rowsRead).toBeLessThan(50 * 40)
  const mixed = await costs(tenant, (ctx) =>
    batch(ctx, {
      operations: ids.map((id, n) =>
        n % 3 === 0
          ? { op: 'delete', id }
          : n % 3 === 1
            ? { op: 'update', id, content: `new ${n}` }
            : { op: 'retrieve', id },
      ),
    }),
  )
  expect(mixed.roundTrips).toBe(2)
  expect(mixed.rowsRead).toBeLessThan(50 * 60)
})

test('a batch that D1 fails in the middle of leaves nothing behind', async () => {
  const tenant = await newTenant()
  // The second statement of every batch is one that fails.
  const failing = new (class extends Database {
    override batch<Rows extends unknown[]>(
      statements: D1PreparedStatement[],
    ): Promise<{ [K in keyof Rows]: Rows[K][] }> {
      return super.batch<Rows>(
        [statements[0], this.statement("select json('broken')"), ...statements.slice(1)].filter((s) => s !== undefined),
      )
    }
  })(env.DB)
  await expect(store(ctxOf(tenant, { db: failing }), text('lost'))).rejects.toThrow(/malformed JSON/)
  for (const table of ['memory_items', 'events', 'audit_outbox']) {
    expect(await db.all(`select * from ${table} where tenant_id = :tenant`, { tenant: tenant.tenantId })).toEqual([])
  }
})

test('an atomic batch in which an item changes under it is planned again, and is whole or nothing', async () => {
  const tenant = await newTenant()
  const { item } = await store(ctxOf(tenant), text('one'))
  // Between the read of the plan and its commit, somebody else changes the item: once.
  let batches = 0
  const racing = interrupted(async (number) => {
    batches += 1
    if (number === 1) await update(ctxOf(tenant), { id: item.id, input: { tags: ['theirs'] }, ifMatch: null })
  })
  const { results } = await batch(ctxOf(tenant, { db: racing }), {
    atomic: true,
    operations: [
      { op: 'store', content: 'two' },
      { op: 'update', id: item.id, content: 'mine' },
    ],
  })
  expect(batches).toBe(4)
  expect(results.map(({ status, item: now }) => [status, now?.version])).toEqual([
    ['success', 1],
    ['success', 3],
  ])
  expect(results[1]?.item).toMatchObject({ tags: ['theirs'], content: { text: 'mine' } })
  expect(
    await db.all('select id from memory_items where tenant_id = :tenant', { tenant: tenant.tenantId }),
  ).toHaveLength(2)
})

test('an operation that loses a race is a 404, or a 409 where it loses every attempt; the others take place', async () => {
  const tenant = await newTenant()
  const own = ctxOf(tenant)
  const [gone, busy] = [await stored(own, 'gone'), await stored(own, 'busy')]
  const racing = interrupted(async (number) => {
    if (number % 2 === 0) return
    if (number === 1) await deleteItem(ctxOf(tenant), { id: gone.id, ifMatch: null })
    await update(ctxOf(tenant), { id: busy.id, input: { tags: [`theirs ${number}`] }, ifMatch: null })
  })
  const { results } = await batch(ctxOf(tenant, { db: racing }), {
    operations: [
      { op: 'store', content: 'new' },
      { op: 'update', id: gone.id, tags: ['mine'] },
      { op: 'delete', id: busy.id },
    ],
  })
  expect(results.map(({ status, error }) => error?.code ?? status)).toEqual(['success', 'not_found', 'conflict'])
  expect(
    await db.all('select id from memory_items where tenant_id = :tenant and deleted_at is null', {
      tenant: tenant.tenantId,
    }),
  ).toEqual([{ id: busy.id }, { id: results[0]?.id }])
})

test('over the quota of items a store is 403 quota_exceeded, and a batch stops exactly there', async () => {
  const tenant = await newTenant()
  const limited = () => {
    const ctx = ctxOf(tenant)
    return { ...ctx, config: { ...ctx.config, quotas: { ...ctx.config.quotas, items: 3 } } }
  }
  const { item } = await store(limited(), text('one'))
  const operations = Array.from({ length: 4 }, (_, n) => ({ op: 'store', content: `text ${n}` }))
  const { results } = await batch(limited(), { operations })
  expect(results.map(({ error }) => error?.code)).toEqual([undefined, undefined, 'quota_exceeded', 'quota_exceeded'])
  const refused = await store(limited(), text('more')).catch((error: unknown) => error)
  expect(isAppError(refused) && refused.code).toBe('quota_exceeded')
  const freed = await batch(limited(), { operations: [{ op: 'delete', id: item.id }, operations[0]] })
  expect(freed.success_count).toBe(2)
})
