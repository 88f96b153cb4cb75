import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import { embedItems } from '../../../src/memory/embedding/embed.ts'
import { batch } from '../../../src/memory/operations/batch.ts'
import { list, ListInput } from '../../../src/memory/operations/list.ts'
import { ctxOf, embedded, find, idsOf } from '../../support/search.ts'
import { db, newTenant, system } from '../../support/world.ts'

/** Items with 16 KB of metadata each: together more than a statement parses. */
const MANY = 70
const item = (text: string, n: number) => ({
  op: 'store',
  content: { text, metadata: { n, pad: 'x'.repeat(16_000) } },
})

/** The item with n = 1 comes last: by keyword, by similarity, by age, and among the pending ones. */
async function project({ embeds }: { embeds: boolean }) {
  const ctx = ctxOf(await newTenant())
  return { ctx, last: await fill(ctx, embeds) }
}

/** Answers the id of the item with n = 1. */
async function fill(ctx: AuthContext, embeds: boolean) {
  const ids: string[] = []
  const others = Array.from({ length: MANY }, (_, nth) => item(`tea ${nth}`, 0))
  for (const operations of [[item('some further words, and tea', 1)], others.slice(0, 40), others.slice(40)]) {
    const { results } = await batch({ ...ctx, requestId: system.newId('req') }, { operations, atomic: true })
    ids.push(...results.map(({ id }) => id ?? ''))
  }
  if (embeds) await embedItems(ctx, db, ids)
  return ids[0]
}

const known = await project({ embeds: true })
const filters = { 'metadata.n': 1 }

async function counted<T>(ctx: typeof known.ctx, work: (metered: typeof known.ctx) => Promise<T>) {
  const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const answer = await work({ ...ctx, db: db.metered(meter) })
  return { answer, trips: meter.roundTrips }
}

/** Each time when the isolate has forgotten how much metadata the project has. */
let hours = 0
const later = (ctx: typeof known.ctx) => {
  const at = system.now() + (hours += 1) * 3_600_000
  return { ...ctx, now: () => at }
}

test.each(['keyword', 'semantic', 'hybrid'])(
  'security 54: a %s search parses a bounded part of the metadata; past it the filter is looked up in slices, and nothing is missed',
  async (mode) => {
    const ctx = later(known.ctx)
    const first = await counted(ctx, (own) => find(own, 'tea', { mode, filters }))
    const second = await counted(ctx, (own) => find(own, 'tea', { mode, filters }))
    expect([first, second].map(({ answer }) => idsOf(answer))).toEqual([[known.last], [known.last]])
    // The first one runs its statement once more; the three slices of the items come before the second's only one.
    expect([first.trips, second.trips]).toEqual([5, 4])
  },
)

test('security 54: items that await their embedding are counted with the same bound', async () => {
  const { ctx } = await project({ embeds: false })
  const { answer, trips } = await counted(later(ctx), (own) => find(own, 'zebra', { mode: 'keyword', filters }))
  expect([answer.results, answer.pending, trips]).toEqual([[], 1, 5])
})

const atLeastZero = (conditions: number) => ({
  AND: Array.from({ length: conditions }, (_, at) => ({ 'metadata.n': { '>=': -at } })),
})

test.each([
  [1, 1.25],
  [4, 2],
])(
  'contract §3, security 54: where too many items pass to look them up, a search considers the best matches within the bound: %d conditions',
  async (conditions, weight) => {
    const ctx = later({ ...known.ctx, config: { ...known.ctx.config, exactTierMax: 2 } })
    const all = atLeastZero(conditions)
    const { answer } = await counted(ctx, (own) => find(own, 'tea', { mode: 'keyword', filters: all, limit: 100 }))
    expect(answer.total).toBe(Math.floor(1_048_576 / (16_020 * weight)))
    expect(answer.results).toHaveLength(answer.total)
  },
)

test('security 54: a list with q parses a bounded part of the metadata, and finds what is behind it', async () => {
  const ctx = later(known.ctx)
  const input = ListInput.parse({ q: 'tea', filters: JSON.stringify(filters) })
  const first = await counted(ctx, (own) => list(own, input))
  const second = await counted(ctx, (own) => list(own, input))
  expect(first.answer.data.map(({ id }) => id)).toEqual([known.last])
  expect(second.answer).toEqual(first.answer)
  expect([first.trips, second.trips]).toEqual([5, 4])
})

test('contract §3: a list with q whose filter too many items pass gives shorter pages, which lead to the last one', async () => {
  const ctx = later({ ...known.ctx, config: { ...known.ctx.config, exactTierMax: 2 } })
  const all = JSON.stringify({ 'metadata.n': { '>=': 0 } })
  const sizes: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const input = ListInput.parse({ q: 'tea', filters: all, limit: '100', ...(cursor === '' ? {} : { cursor }) })
    const page: Awaited<ReturnType<typeof list>> = await list(ctx, input)
    sizes.push(page.data.length)
    cursor = page.next_cursor
  }
  expect(sizes.length).toBeGreaterThan(1)
  expect(sizes.reduce((sum, size) => sum + size)).toBe(MANY + 1)
})

test.each(['semantic', 'hybrid'])(
  '%s search filters also where it finds that its copy of the vectors is outdated',
  async (mode) => {
    const ctx = ctxOf(await newTenant())
    await embedded(ctx, ['tea'])
    for (let searches = 0; searches < 3; searches += 1) await find(ctx, 'tea')
    const last = await fill(ctx, true)
    expect(idsOf(await find(ctx, 'tea', { mode, filters, limit: 100 }))).toEqual([last])
  },
)
