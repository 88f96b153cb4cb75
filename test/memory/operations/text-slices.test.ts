import { expect, test } from 'vitest'
import { RUNNING_MS } from '../../../src/core/http/idempotency-claim.ts'
import type { Limiter } from '../../../src/core/ports.ts'
import { batch, batchEndpoint, runBatch } from '../../../src/memory/operations/batch.ts'
import { importItems } from '../../../src/memory/operations/import.ts'
import { MAX_COMMIT_CHARACTERS, textSlices } from '../../../src/memory/operations/text-slices.ts'
import { travel } from '../../support/clock.ts'
import { interrupted } from '../../support/interrupted.ts'
import { keyed } from '../../support/keyed.ts'
import { newWriter } from '../../support/memory.ts'
import { ctxOf } from '../../support/search.ts'
import { db, newTenant, system, type Tenant } from '../../support/world.ts'

/** A text of so many characters; its words are few, which keeps the test quick. */
const textOf = (characters: number): string => 'tea '.repeat(characters / 4)
const stores = (...lengths: number[]) => lengths.map((length) => ({ op: 'store', content: textOf(length) }))
const commitsOf = ({ tenantId }: Tenant) =>
  db.all<{ items: number }>(
    'select count(*) as items from memory_items where tenant_id = ? group by write_id order by min(row)',
    tenantId,
  )

/** A limiter that refuses the second call, and tells what it was asked for. */
function limiterOf() {
  const asked: string[] = []
  const state = { policy: 'memory.store', limit: 10, windowSeconds: 1, remaining: 0, resetSeconds: 1 }
  const limiter: Limiter = {
    acquire: async (name, key) => {
      asked.push(`${name}, ${key}`)
      return { admitted: asked.length !== 2, state, acquiredAt: system.now(), retryAt: system.now() }
    },
    release: async () => {},
  }
  return { asked, limiter }
}

test.each([
  { lengths: [], cut: [] },
  { lengths: [0, 0], cut: [2] },
  { lengths: [MAX_COMMIT_CHARACTERS - 1, 1, 1], cut: [2, 1] },
  { lengths: [MAX_COMMIT_CHARACTERS, MAX_COMMIT_CHARACTERS], cut: [1, 1] },
  { lengths: [40_000, 40_000, 20_000, 40_000], cut: [1, 2, 1] },
])('texts of $lengths characters are cut into commits of $cut', ({ lengths, cut }) => {
  const operations = lengths.map((length) => ({
    operation: { op: 'update' as const, id: 'mem_x', input: { content: { text: 'x'.repeat(length) } } },
  }))
  expect(textSlices(operations).map((slice) => slice.length)).toEqual(cut)
})

test('contract §3: texts of more than 65,536 characters together are committed in slices, at the pace of stores', async () => {
  const user = await newTenant()
  const { asked, limiter } = limiterOf()
  const report = await batch(ctxOf(user, { limiter }), { operations: stores(40_000, 40_000, 20_000, 40_000) })
  expect(report).toMatchObject({ success_count: 4, error_count: 0 })
  expect(report.results.map(({ index, item }) => [index, item?.content.text.length])).toEqual([
    [0, 40_000],
    [1, 40_000],
    [2, 20_000],
    [3, 40_000],
  ])
  expect(await commitsOf(user)).toEqual([{ items: 1 }, { items: 2 }, { items: 1 }])
  // The first slice needs no further permit; the second was refused once and asked again.
  expect(asked).toEqual(Array.from({ length: 3 }, () => `memory.store, batch ${user.userId}`))
})

test('the lines of an import are cut likewise, besides the pace of batches', async () => {
  const user = await newTenant()
  const { asked, limiter } = limiterOf()
  const body = [40_000, 40_000].map((length) => JSON.stringify({ content: textOf(length) })).join('\n')
  const report = await importItems(ctxOf(user, { limiter }), { body, projectId: undefined })
  expect(report.created).toBe(2)
  expect(await commitsOf(user)).toEqual([{ items: 1 }, { items: 1 }])
  expect(asked.map((one) => one.split(' ')[1])).toEqual(['import', 'batch', 'batch'])
})

test('a changed date indexes the stored text again, so its characters count too', async () => {
  const user = await newTenant()
  const { limiter } = limiterOf()
  const send = (operations: readonly unknown[], atomic = false) =>
    batch(ctxOf(user, { limiter }), { operations, atomic })
  const { results } = await send(stores(40_000, 40_000, 4, 4))
  const dated = (date: string) => results.map(({ id }) => ({ op: 'update', id, occurred_at: date }))
  expect(await send(dated('2024-05-08T00:00:00Z'))).toMatchObject({ success_count: 4 })
  expect(await commitsOf(user)).toEqual([{ items: 1 }, { items: 3 }])
  await expect(send(dated('2024-05-09T00:00:00Z'), true)).rejects.toMatchObject({ status: 422 })
  expect(await send(dated('2024-05-09T00:00:00Z').slice(2), true)).toMatchObject({ success_count: 2 })
  // Another change of long texts leaves their words alone, and is one commit.
  await send(results.map(({ id }) => ({ op: 'update', id, tags: ['read'] })))
  expect(await commitsOf(user)).toEqual([{ items: 4 }])
})

test('a changed date counts characters, not bytes', async () => {
  const user = await newTenant()
  const { limiter } = limiterOf()
  const texts = Array.from({ length: 3 }, () => ({ op: 'store', content: 'чай '.repeat(7_500) }))
  const { results } = await batch(ctxOf(user, { limiter }), { operations: texts })
  const dated = (count: number) => {
    const operations = results
      .slice(0, count)
      .map(({ id }) => ({ op: 'update', id, occurred_at: '2024-05-08T00:00:00Z' }))
    return batch(ctxOf(user, { limiter }), { operations, atomic: true })
  }
  expect(await dated(2)).toMatchObject({ success_count: 2 })
  await expect(dated(3)).rejects.toMatchObject({ status: 422 })
})

test('contract §3: metadata, grants and tags count as characters of a slice, and refuse no atomic batch', async () => {
  const user = await newTenant()
  const { limiter } = limiterOf()
  const tags = Array.from({ length: 32 }, (_, nth) => `t${nth}`)
  const full = { op: 'store', content: { text: 'tea', metadata: { pad: 'x'.repeat(16_000) } }, tags }
  const operations = Array.from({ length: 50 }, () => full)
  expect(await batch(ctxOf(user, { limiter }), { operations, atomic: true })).toMatchObject({ success_count: 50 })
  expect(await batch(ctxOf(user, { limiter }), { operations })).toMatchObject({ success_count: 50 })
  // 3 characters, 800 for the metadata and 512 for the tags.
  expect(await commitsOf(user)).toEqual([{ items: 50 }, { items: 49 }, { items: 1 }])
})

test('a grant counts 12 characters of a slice', () => {
  const permissions = Array.from({ length: 100 }, (_, nth) => ({ user_id: `usr_${nth}`, access: 'read' as const }))
  const operations = Array.from({ length: 60 }, () => ({
    operation: { op: 'update' as const, id: 'mem_x', input: { permissions } },
  }))
  expect(textSlices(operations).map((slice) => slice.length)).toEqual([54, 6])
})

test('contract §3: the stored text of an item that an operation changes or retrieves counts a twentieth of its bytes', async () => {
  const user = await newTenant()
  const { limiter } = limiterOf()
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const { results } = await batch(ctxOf(user, { limiter }), { operations: stores(60_000) })
  const [id = ''] = results.map((result) => result.id)
  const tagged = (count: number, atomic = false) =>
    batch(ctxOf(user, { limiter, db: db.metered(meter) }), {
      operations: Array.from({ length: count }, (_, nth) => ({ op: 'update', id, tags: [`t${nth}`] })),
      atomic,
    })
  const costOf = async (count: number) => {
    meter.roundTrips = 0
    expect(await tagged(count)).toMatchObject({ success_count: count })
    return meter.roundTrips
  }
  // Twenty of the longest texts are one commit, whatever their length: what it reads, and the commit.
  expect(await costOf(20)).toBe(2)
  // The lengths, then one slice, then two: 21 times 3,000 characters, and 22 times; a tag counts 16.
  expect(await costOf(21)).toBe(1 + 2)
  expect(await costOf(22)).toBe(1 + 2 * 2)
  expect(await tagged(21, true)).toMatchObject({ success_count: 21 })
  meter.roundTrips = 0
  const operations = Array.from({ length: 50 }, () => ({ op: 'retrieve', id }))
  const read = await batch(ctxOf(user, { limiter, db: db.metered(meter) }), { operations })
  // The lengths, and slices of 21, 21 and 8.
  expect([read.success_count, meter.roundTrips]).toEqual([50, 1 + 3])
  await expect(tagged(22, true)).rejects.toMatchObject({ status: 422 })
  const wide = await batch(ctxOf(user, { limiter }), { operations: [{ op: 'store', content: '🫖'.repeat(65_536) }] })
  meter.roundTrips = 0
  const wides = Array.from({ length: 21 }, () => ({ op: 'retrieve', id: wide.results[0]?.id }))
  const readWide = await batch(ctxOf(user, { limiter, db: db.metered(meter) }), { operations: wides })
  // The lengths, and four slices of 5 and one of 1: 262,144 bytes count 13,107.
  expect([readWide.success_count, meter.roundTrips]).toEqual([21, 1 + 5])
})

test('an operation sees what an earlier slice wrote', async () => {
  const user = await newTenant()
  const { limiter } = limiterOf()
  const named = stores(40_000, 40_000).map((operation) => ({ ...operation, custom_id: 'one' }))
  const report = await batch(ctxOf(user, { limiter }), { operations: named })
  expect(report.results.map(({ item }) => item?.version)).toEqual([1, 2])
})

test('a batch that dies between two slices goes on from there under its key', async () => {
  const tenant = await newTenant()
  const send = (database = db) =>
    keyed(tenant, batchEndpoint, (ctx) => runBatch(ctx, { operations: stores(40_000, 40_000) }), { db: database })
  travel(0)
  // The claim, the first slice, then the second one.
  const dying = interrupted(async (step) => {
    if (step >= 2) throw new Error('dead')
  })
  expect(await send(dying)).toBe('Error: dead')
  expect(await commitsOf(tenant)).toHaveLength(1)
  travel(RUNNING_MS)
  expect(await send()).toMatchObject({ success_count: 2, error_count: 0 })
  expect(await commitsOf(tenant)).toEqual([{ items: 1 }, { items: 1 }])
})

test('contract §3: the texts of an atomic batch have at most 65,536 characters together; more is 422', async () => {
  const user = await newWriter()
  const send = (...lengths: number[]) =>
    user.send('POST', '/api/memory/batch', { operations: stores(...lengths), atomic: true })
  const refused = await send(40_000, 25_540)
  expect({ status: refused.status, errors: refused.body.errors }).toMatchObject({
    status: 422,
    errors: [{ code: 'texts_too_long' }],
  })
  expect(refused.text).toContain('65540')
  expect(await db.all('select id from memory_items where project_id = ?', user.projectId)).toEqual([])
  expect((await send(40_000, 25_536)).body).toMatchObject({ success_count: 2 })
})
