import { expect, test } from 'vitest'
import { RUNNING_MS } from '../../../src/core/idempotency/claim.ts'
import { batch, batchEndpoint, runBatch } from '../../../src/memory/operations/batch.ts'
import { withItemsNow, withoutItems } from '../../../src/memory/operations/batch-replay.ts'
import { deleteItem } from '../../../src/memory/operations/delete.ts'
import { travel } from '../../support/clock.ts'
import { interrupted } from '../../support/interrupted.ts'
import { keyed } from '../../support/keyed.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { db, newTenant } from '../../support/world.ts'

test.each([false, true])(
  'a batch (atomic: %s) that dies after its commit runs nothing twice when it is sent again, and its report is whole',
  async (atomic) => {
    const tenant = await newTenant()
    const [changed, deleted] = [await stored(ctxOf(tenant), 'changed'), await stored(ctxOf(tenant), 'deleted')]
    const operations = [
      { op: 'store', content: 'new' },
      { op: 'retrieve', id: atomic ? changed.id : 'mem_none' },
      { op: 'update', id: changed.id, tags: ['mine'] },
      { op: 'delete', id: deleted.id },
      { op: 'store', content: 'equal', deduplicate: true },
      { op: 'store', content: 'equal', deduplicate: true },
    ]
    const send = (database = db) =>
      keyed(tenant, batchEndpoint, (ctx) => runBatch(ctx, { operations, atomic }), { db: database })
    travel(0)
    // Claim, read, commit, settlement.
    const dying = interrupted(async (step) => {
      if (step >= 3) throw new Error('dead')
    })
    expect(await send(dying)).toBe('Error: dead')
    expect(await send()).toBe('idempotency_in_progress')
    travel(RUNNING_MS)
    const report = await send()
    if (typeof report === 'string') throw new Error(report)
    expect(report).toMatchObject({ success_count: atomic ? 6 : 5, error_count: atomic ? 0 : 1 })
    expect(report.results.map(({ index, op, item }) => [index, op, item?.content.text, item?.version])).toEqual([
      [0, 'store', 'new', 1],
      [1, 'retrieve', ...(atomic ? ['changed', 2] : [undefined, undefined])],
      [2, 'update', 'changed', 2],
      [3, 'delete', undefined, undefined],
      [4, 'store', 'equal', 1],
      [5, 'store', 'equal', 1],
    ])
    expect(report.results[5]?.id).toBe(report.results[4]?.id)
    expect(await send()).toMatchObject({ success_count: report.success_count })
    const left = await db.all('select id from memory_items where tenant_id = :tenant and deleted_at is null', {
      tenant: tenant.tenantId,
    })
    expect(left).toHaveLength(3)
  },
)

test.each([false, true])(
  'a batch (atomic: %s) that stalls for a minute, until another takes its key over, writes nothing and is 409',
  async (atomic) => {
    const tenant = await newTenant()
    const operations = [
      { op: 'store', content: 'one' },
      { op: 'store', content: 'two' },
    ]
    const send = (database = db) =>
      keyed(tenant, batchEndpoint, (ctx) => runBatch(ctx, { operations, atomic }), { db: database })
    travel(0)
    const stalling = interrupted(async (step) => {
      if (step !== 1) return
      travel(RUNNING_MS)
      expect(await send()).toMatchObject({ success_count: 2 })
    })
    expect(await send(stalling)).toBe('idempotency_in_progress')
    expect(
      await db.all('select id from memory_items where tenant_id = :tenant', { tenant: tenant.tenantId }),
    ).toHaveLength(2)
    expect(await send()).toMatchObject({ success_count: 2 })
  },
)

test('a replay reads the items of its report in slices, and shows those that are there', async () => {
  const tenant = await newTenant()
  const stores = Array.from({ length: 11 }, (_, nth) => ({ op: 'store', content: `text ${nth}` }))
  const report = await batch(ctxOf(tenant), { operations: stores })
  const ids = report.results.map(({ id = '' }) => id)
  const replayed = async () => {
    const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    const twice = { ...report, results: [...report.results, ...report.results] }
    const { results } = await withItemsNow(ctxOf(tenant, { db: db.metered(meter) }), withoutItems(twice))
    return { shown: results.map(({ item }) => item?.id), roundTrips: meter.roundTrips }
  }
  expect(await replayed()).toEqual({ shown: [...ids, ...ids], roundTrips: 1 })
  await db.write('update memory_items set text = :text where project_id = :project', {
    text: 'x'.repeat(262_144),
    project: tenant.projectId,
  })
  await deleteItem(ctxOf(tenant), { id: ids[3] ?? '', ifMatch: null })
  const shown = ids.map((id, nth) => (nth === 3 ? undefined : id))
  // Five texts and what their items have besides fill a slice.
  expect(await replayed()).toEqual({ shown: [...shown, ...shown], roundTrips: 2 })
  await deleteItem(ctxOf(tenant), { id: ids[4] ?? '', ifMatch: null })
  for (const id of ids) await db.write('update memory_items set deleted_at = 1 where id = :id', { id })
  expect((await replayed()).shown.filter((id) => id !== undefined)).toEqual([])
})
