/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import { RUNNING_MS } from '../../../src/core/idempotency/claim.ts'
import type { Limiter } from '../../../src/core/ports.ts'
import { batch, batchEndpoint, runBatch } from '../../../src/memory/operations/batch.ts'
import { importItems } from '../../../src/memory/operations/import.ts'
import { MAX_COMMIT_CHARACTERS, textSlices } from '../../../src/memory/operations/text-slices.ts'
import { travel } from '../../support/clock.ts'
import { interrupted } from '../../support/interrupted.ts'
import { keyed } from '../../support/keyed.ts'
import { ctxOf } from '../../support/search.ts'
import { addMember, db, newTenant, system, type Tenant } from '../../support/world.ts'

/** A text of so many characters; its words are few, which keeps the test quick. */
const textOf = (characters: number): string => 'tea '.repeat(characters / 4)
const stores = (...lengths: number[]) => lengths.map((length) => ({ op: 'store', content: textOf(length) }))
const commitsOf = ({ tenantId }: Tenant) =>
  db.all<{ items: number }>(
    'select count(*) as items from memory_items where tenant_id = :tenant group by write_id order by min(row)',
    { tenant: tenantId },
  )

/** A limiter that refuses the second call, and tells what it was asked for. */
function limiterOf() {
  const asked: string[] = []
  const state = { policy: 'memory.store', limit: 10, windowSeconds: 1, remaining: 0, resetSeconds: 1 }
  const limiter: Limiter = {
    ...system.limiter,
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

test('contract §3: a large batch is committed in slices, at the pace of stores', async () => {
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

test('contract §3: a large import is committed in slices, besides the pace of batches', async () => {
  const user = await newTenant()
  const { asked, limiter } = limiterOf()
  const body = [40_000, 40_000].map((length) => JSON.stringify({ content: textOf(length) })).join('\n')
  const report = await importItems(ctxOf(user, { limiter }), { body, projectId: undefined })
  expect(report.created).toBe(2)
  expect(await commitsOf(user)).toEqual([{ items: 1 }, { items: 1 }])
  expect(asked.map((one) => one.split(' ')[1])).toEqual(['import', 'batch', 'batch'])
})

test('a changed date indexes the stored text again, so it costs a slice as much as a new one', async () => {
  const user = await newTenant()
  const { limiter } = limiterOf()
  const send = (operations: readonly unknown[]) => batch(ctxOf(user, { limiter }), { operations })
  const { results } = await send(stores(40_000, 40_000, 4, 4))
  const dated = (date: string) => results.map(({ id }) => ({ op: 'update', id, occurred_at: date }))
  expect(await send(dated('2024-05-08T00:00:00Z'))).toMatchObject({ success_count: 4 })
  expect(await commitsOf(user)).toEqual([{ items: 1 }, { items: 3 }])
  // Another change of long texts leaves their words alone, and is one commit.
  await send(results.map(({ id }) => ({ op: 'update', id, tags: ['read'] })))
  expect(await commitsOf(user)).toEqual([{ items: 4 }])
})

test('contract §3: metadata, grants and tags cost a slice what they write, and refuse no atomic batch', async () => {
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

test('contract §3: ideographs cost a slice twice, and an atomic batch has at most 40,000 different words', async () => {
  const user = await newTenant()
  const { limiter } = limiterOf()
  const text = Array.from({ length: 16_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')
  const send = (count: number, atomic: boolean) =>
    batch(ctxOf(user, { limiter }), {
      operations: Array.from({ length: count }, () => ({ op: 'store', content: text })),
      atomic,
    })
  await expect(send(3, true)).rejects.toMatchObject({ status: 422, errors: [{ code: 'texts_too_long' }] })
  expect(await commitsOf(user)).toEqual([])
  expect(await send(2, true)).toMatchObject({ success_count: 2 })
  expect(await send(3, false)).toMatchObject({ success_count: 3 })
  expect(await commitsOf(user)).toEqual([{ items: 2 }, { items: 2 }, { items: 1 }])
})

test('a grant costs a slice 12 characters', () => {
  const permissions = Array.from({ length: 100 }, (_, nth) => ({ user_id: `usr_${nth}`, access: 'read' as const }))
  const operations = Array.from({ length: 60 }, () => ({
    operation: { op: 'update' as const, id: 'mem_x', input: { permissions } },
  }))
  expect(textSlices(operations).map((slice) => slice.length)).toEqual([54, 6])
})

/** Bytes of the widest text: letters of four bytes. */
const WIDEST = 4 * 65_536

/** Items whose text has so many bytes, with custom ids `c0`, `c1` and so on. */
async function itemsOf(user: Tenant, bytes: number, count = 50): Promise<string[]> {
  const operations = Array.from({ length: count }, (_, nth) => ({ op: 'store', content: 'tea', custom_id: `c${nth}` }))
  const { results } = await batch(ctxOf(user), { operations })
  const ids = results.map(({ id = '' }) => id)
  const text = 'x'.repeat(bytes)
  await db.write('update memory_items set text = :text where id in (select value from json_each(:ids))', {
    text,
    ids: JSON.stringify(ids),
  })
  return ids
}

/** Sends operations and counts round trips to D1. The permits that they wait for are in `asked`. */
function counting(user: Tenant) {
  const { limiter, asked } = limiterOf()
  return async (operations: readonly unknown[], atomic = false) => {
    const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    asked.length = 0
    const report = await batch(ctxOf(user, { limiter, db: db.metered(meter) }), { operations, atomic })
    return { done: report.success_count, roundTrips: meter.roundTrips, asked: asked.length, report }
  }
}

const mixed = (ids: readonly string[]) =>
  ids.map(
    (id, nth) =>
      [
        { op: 'retrieve', id },
        { op: 'update', id, tags: ['read'] },
        { op: 'update', id, occurred_at: '2024-05-08T00:00:00Z' },
        { op: 'store', content: 'coffee', custom_id: `c${nth}` },
        { op: 'delete', id },
      ][nth % 5],
  )

test('50 mixed operations on items of a usual length are two round trips', async () => {
  const user = await newTenant()
  const ids = await itemsOf(user, 1_000)
  expect(await counting(user)(mixed(ids))).toMatchObject({ done: 50, roundTrips: 2, asked: 0 })
})

test.each<[string, (id: string, nth: number) => unknown, number]>([
  ['retrieve', (id) => ({ op: 'retrieve', id }), 1],
  ['change', (id) => ({ op: 'update', id, tags: ['read'] }), 2],
  ['give a name', (id, nth) => ({ op: 'update', id, custom_id: `d${nth}` }), 2],
  ['replace', (_id, nth) => ({ op: 'store', content: 'coffee', custom_id: `c${nth}` }), 2],
  ['delete', (id) => ({ op: 'delete', id }), 2],
])(
  'contract §3: operations that %s the widest stored items go in slices of five',
  async (_name, operationOf, trips) => {
    const user = await newTenant()
    const ids = await itemsOf(user, WIDEST - 1_000, 11)
    const send = counting(user)
    const operations = ids.map((id, nth) => operationOf(id, nth))
    // What they cost, then slices of 5, 5 and 1.
    expect(await send(operations)).toMatchObject({ done: 11, roundTrips: 1 + 3 * trips })
  },
)

test('the item whose custom id an update would take is not read', async () => {
  const user = await newTenant()
  const ids = await itemsOf(user, WIDEST - 1_000, 11)
  const taking = ids.map((id, nth) => ({ op: 'update', id, custom_id: `c${(nth + 1) % 11}` }))
  // What the named ones cost, then slices of 5, 5 and 1. Each is refused, so none is committed.
  expect(await counting(user)(taking)).toMatchObject({ done: 0, roundTrips: 1 + 3 })
})

test('items that fill a slice to the last byte are one, and a byte more makes two, at the pace of stores', async () => {
  const user = await newTenant()
  // With the `{}` of their metadata two of them have 20 times 65,536 bytes.
  const ids = await itemsOf(user, 10 * MAX_COMMIT_CHARACTERS - 2, 2)
  const send = counting(user)
  const retrieves = ids.map((id) => ({ op: 'retrieve', id }))
  expect(await send(retrieves)).toMatchObject({ done: 2, roundTrips: 1, asked: 0 })
  await db.write(`update memory_items set text = text || 'xxxxxxxxxxxxxxxxxxxx' where id = :id`, { id: ids[0] ?? '' })
  // The first permit of the second slice was refused.
  expect(await send(retrieves)).toMatchObject({ done: 2, roundTrips: 1 + 2, asked: 1 })
  expect(await send(retrieves.slice(1))).toMatchObject({ done: 1, roundTrips: 1 })
})

test('metadata counts as texts do, and an item counts once however often it is named', async () => {
  const user = await newTenant()
  const [id = ''] = await itemsOf(user, WIDEST, 1)
  const send = counting(user)
  const often = Array.from({ length: 50 }, (_, nth) => ({ op: 'update', id, tags: [`t${nth}`] }))
  expect(await send(often)).toMatchObject({ done: 50, roundTrips: 2, asked: 0 })
  const metadata = JSON.stringify({ pad: 'x'.repeat(1_200_000) })
  await db.write('update memory_items set metadata = :metadata where id = :id', { metadata, id })
  expect(await send(often.slice(0, 2))).toMatchObject({ done: 2, roundTrips: 1 + 2 * 2 })
})

test('contract §3: an atomic batch takes stored items of any size, read in parts at the pace of stores', async () => {
  const user = await newTenant()
  const ids = await itemsOf(user, WIDEST, 6)
  const send = counting(user)
  const tagged = (count: number) => ids.slice(0, count).map((id) => ({ op: 'update', id, tags: ['all'] }))
  expect(await send(tagged(4), true)).toMatchObject({ done: 4, roundTrips: 2, asked: 0 })
  // What they cost, what they are without their texts, four texts, two texts, the commit. One permit is refused once.
  const { report, ...counted } = await send(tagged(6), true)
  expect(counted).toMatchObject({ done: 6, roundTrips: 5, asked: 3 })
  expect(report.results.map(({ item }) => item?.content.text.length)).toEqual(ids.map(() => WIDEST))
  expect((await commitsOf(user)).at(-1)).toEqual({ items: 6 })
})

test('an atomic batch of large items, one of which changes between two reads, is planned again', async () => {
  const user = await newTenant()
  const ids = await itemsOf(user, WIDEST, 6)
  const { limiter } = limiterOf()
  let permits = 0
  const acquire: Limiter['acquire'] = async (...asked) => {
    permits += 1
    if (permits === 1)
      await db.write('update memory_items set version = version + 1 where id = :id', { id: ids[5] ?? '' })
    return limiter.acquire(...asked)
  }
  const operations = ids.map((id) => ({ op: 'update', id, tags: ['all'] }))
  const ctx = ctxOf(user, { limiter: { ...limiter, acquire } })
  const { results } = await batch(ctx, { operations, atomic: true })
  expect(results.map(({ item }) => item?.version)).toEqual([2, 2, 2, 2, 2, 3])
})

test('an item that the caller may not read counts nothing, so its size shows in no answer', async () => {
  const user = await newTenant()
  const other = await addMember(user, 'editor')
  const ids = await itemsOf(user, WIDEST, 6)
  await db.write(`update memory_items set visibility = 'private' where project_id = :project`, {
    project: user.projectId,
  })
  const deletions = ids.map((id) => ({ op: 'delete', id }))
  const stores = ids.map((_, nth) => ({ op: 'store', content: 'tea', custom_id: `c${nth}` }))
  const send = counting(other)
  for (const [operations, code] of [
    [deletions, 'not_found'],
    [stores, 'custom_id_taken'],
  ] as const) {
    const refused = await send(operations, true).catch((error: unknown) => error)
    const results = operations.map(() => ({ error: { code } }))
    expect(refused).toMatchObject({ status: 422, extra: { error_count: 6, results } })
    expect(await send(operations)).toMatchObject({ done: 0, roundTrips: 1 })
  }
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
