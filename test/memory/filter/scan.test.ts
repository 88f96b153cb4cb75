import { expect, test } from 'vitest'
import { batch } from '../../../src/memory/operations/batch.ts'
import { readScope } from '../../../src/memory/filter/read-scope.ts'
import {
  FIRST,
  MAX_ANSWER_BYTES,
  nextSlice,
  scan,
  type Position,
  type ScanInput,
} from '../../../src/memory/filter/scan.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { db, newTenant } from '../../support/world.ts'

const LAST: Position = [Number.MAX_SAFE_INTEGER, '']
const user = await newTenant()
const ctx = ctxOf(user)
/** Every fifth item has the tag, and every second is in the other namespace. */
const tagged: string[] = []
for (let at = 0; at < 40; at++) {
  const context = { namespace: at % 2 ? 'odd' : 'even' }
  const { id } = await stored(ctx, `text ${at}`, { tags: at % 5 ? ['plain'] : ['rare'], context })
  if (at % 5 === 0) tagged.push(id)
}

/** Scans all namespaces for the rare tag, in slices of `sliceItems`; a pinned clock lets the slices double. */
async function scanned(sliceItems: number, input: Partial<ScanInput>, namespace = '*') {
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const filter = { tags: ['rare'], match: 'any' } as const
  const scope = readScope(ctx.principal, user.projectId, { namespace }, { ...filter, tags: [...filter.tags] })
  const found = await scan<{ id: string }>(
    { ...ctx, db: db.metered(meter), now: () => 1_000_000 },
    { ...scope, sliceItems },
    { columns: 'i.id', ascending: true, after: FIRST, wanted: 100, ...input },
  )
  return { ids: found?.rows.map(({ id }) => id), stoppedAt: found?.stoppedAt, ...meter }
}

test.each([1, 3, 39, 40, 41, 1_000])('slices of %i items and more find what one statement finds', async (items) => {
  expect((await scanned(items, {})).ids).toEqual(tagged)
  const newestFirst = { ascending: false, after: LAST }
  expect((await scanned(items, newestFirst)).ids).toEqual(tagged.toReversed())
  expect((await scanned(items, {}, 'odd')).ids).toEqual(tagged.filter((_, at) => at % 2))
})

test('a scan asks no further than for the rows that it wants', async () => {
  const three = await scanned(10, { wanted: 3 })
  expect([three.ids, three.stoppedAt, three.roundTrips]).toEqual([tagged.slice(0, 3), null, 2])
})

test('a scan that may look at a number of items stops there, and the next goes on', async () => {
  const first = await scanned(5, { maxItems: 15 })
  expect([first.ids, first.roundTrips]).toEqual([tagged.slice(0, 3), 2])
  const second = await scanned(1_000, { after: first.stoppedAt ?? FIRST })
  expect([second.ids, second.stoppedAt, second.roundTrips]).toEqual([tagged.slice(3), null, 1])
})

test('a scan looks at no more items than it may, however large its slices have become', async () => {
  const grown = await scanned(5, { maxItems: 12 })
  const once = await scanned(12, { maxItems: 12 })
  expect([grown.stoppedAt, grown.roundTrips, once.roundTrips]).toEqual([once.stoppedAt, 2, 1])
})

test('security 54: a statement reads the items of its slice and no others', async () => {
  const whole = await scanned(1_000, {})
  const slice = await scanned(5, { maxItems: 5 })
  expect(slice.roundTrips).toBe(1)
  expect(slice.rowsRead).toBeLessThan(whole.rowsRead / 3)
})

test('security 54: a slice ends after 512 KiB of metadata, of which one condition counts a quarter more, whatever number of items it may look at, and nothing is missed', async () => {
  const large = await newTenant()
  const own = ctxOf(large)
  const metadata = { pad: 'x'.repeat(16_000), kind: 'large' }
  const operations = Array.from({ length: 40 }, (_, at) => ({ op: 'store', content: { text: `text ${at}`, metadata } }))
  const { success_count } = await batch(own, { operations })
  expect(success_count).toBe(40)
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const scope = readScope(own.principal, large.projectId, {}, { metadata: '$.kind', oneOf: ['large'] })
  const input = { columns: 'i.id', ascending: true, after: FIRST, wanted: 100 }
  const scanOf = (more: Partial<ScanInput>, sliceItems = 1_000) =>
    scan<{ id: string }>({ ...own, db: db.metered(meter) }, { ...scope, sliceItems }, { ...input, ...more })
  expect((await scanOf({}))?.rows).toHaveLength(40)
  expect(meter.roundTrips).toBe(2)
  const page = await scanOf({ maxItems: 10 })
  expect([page?.rows.length, page?.stoppedAt?.[1]]).toEqual([27, page?.rows.at(-1)?.id])
  const single = await scanOf({ maxItems: 10 }, 10)
  expect(single?.rows).toHaveLength(10)
})

test('security 54: so does a slice of several namespaces, and a scan ends after the metadata that it may parse', async () => {
  const large = await newTenant()
  const own = ctxOf(large)
  const metadata = { pad: 'x'.repeat(16_000), kind: 'large' }
  const operations = Array.from({ length: 50 }, (_, at) => ({
    op: 'store',
    content: { text: `text ${at}`, metadata },
    context: { namespace: at % 3 ? 'often' : 'seldom' },
  }))
  expect((await batch(own, { operations })).success_count).toBe(50)
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const namespaces = ['often', 'seldom', 'never']
  const scope = readScope(own.principal, large.projectId, { namespaces }, { metadata: '$.kind', oneOf: ['large'] })
  const scanOf = (more: Partial<ScanInput>, sliceItems = 3_000) =>
    scan<{ id: string }>(
      { ...own, db: db.metered(meter), now: () => 1_000_000 },
      { ...scope, sliceItems },
      { columns: 'i.id', ascending: true, after: FIRST, wanted: 100, ...more },
    )
  const all = await scanOf({})
  expect([all?.rows.length, new Set(all?.rows.map(({ id }) => id)).size, meter.roundTrips]).toEqual([50, 50, 2])
  const newest = await scanOf({ ascending: false, after: LAST })
  expect(newest?.rows.map(({ id }) => id)).toEqual(all?.rows.map(({ id }) => id).toReversed())
  const ids = (found: typeof all) => found?.rows.map(({ id }) => id)
  expect(ids(await scanOf({}, 9))).toEqual(ids(all))
  const page = await scanOf({ maxBytes: 1 })
  expect([page?.rows.length, page?.stoppedAt?.[1]]).toEqual([27, page?.rows.at(-1)?.id])
  const rest = await scanOf({ after: page?.stoppedAt ?? FIRST, maxBytes: 1 })
  expect([rest?.rows.length, rest?.stoppedAt]).toEqual([23, null])
})

test('contract §3: texts and metadata of an answer end after 2 MiB, however many slices find them', async () => {
  const large = await newTenant()
  const own = ctxOf(large)
  const operations = Array.from({ length: 50 }, () => ({ op: 'store', content: 'tea', tags: ['large'] }))
  expect((await batch(own, { operations })).success_count).toBe(50)
  await db.write(`update memory_items set text = :text where project_id = :project`, {
    text: 'x'.repeat(65_536),
    project: large.projectId,
  })
  const scope = readScope(own.principal, large.projectId, {}, { tags: ['large'], match: 'any' })
  const scanOf = async (sliceItems: number, after = FIRST) => {
    const found = await scan<{ id: string }>(
      { ...own, now: () => 1_000_000 },
      { ...scope, sliceItems },
      { columns: 'i.id', ascending: true, after, wanted: 50, maxFilled: MAX_ANSWER_BYTES },
    )
    return { ...found, rows: found?.rows.map(({ id }) => id) }
  }
  const whole = await scanOf(1_000)
  // 32 texts of 64 KiB and their metadata, `{}`, pass 2 MiB.
  expect([whole.rows?.length, whole.filledAt?.[1]]).toEqual([32, whole.rows?.at(-1)])
  for (const sliceItems of [1, 7, 31, 32, 33]) expect(await scanOf(sliceItems)).toEqual(whole)
  const rest = await scanOf(7, whole.filledAt ?? FIRST)
  expect([rest.rows?.length, rest.filledAt, rest.stoppedAt]).toEqual([18, null, null])
})

test('null for a project that the caller may not see', async () => {
  const stranger = ctxOf(await newTenant())
  const scope = readScope(stranger.principal, user.projectId, {}, { all: [] })
  expect(await scan(stranger, scope, { columns: 'i.id', ascending: true, after: FIRST, wanted: 1 })).toBeNull()
})

test.each([
  [1_000, 0, 2_000],
  [1_000, 7, 2_000],
  [1_000, 8, 1_000],
  [1_000, 16, 1_000],
  [1_000, 17, 500],
  [150, 100, 100],
  [6_000, 1, 8_000],
])('after %i items in %i ms follow %i', (items, tookMs, next) => {
  expect(nextSlice(items, tookMs)).toBe(next)
})
