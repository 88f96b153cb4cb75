import { expect, test } from 'vitest'
import { MAX_CONDITIONS } from '../../../src/memory/filter/filter.ts'
import { ctxOf, embedded, find } from '../../support/search.ts'
import { newTenant } from '../../support/world.ts'

const user = await newTenant()
let ctx = ctxOf(user)
await embedded(ctx, ['tea in the morning', 'tea at noon'], { tags: ['a'], context: { conversation_id: 'c' } })

/** Conditions on instants, of which no two are one. */
const instants = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ created_at: { '>': new Date(at * 1_000).toISOString() } }))

const FILTERS: Record<string, unknown> = {
  none: undefined,
  'a tag and metadata': { tags: ['a'], NOT: { 'metadata.n': 1 } },
  'two conditions on metadata': { OR: [{ 'metadata.n': { '>': 1 } }, { NOT: { 'metadata.m': { in: [1, 'x'] } } }] },
  'alternatives on columns': { OR: instants(MAX_CONDITIONS) },
  'alternatives on columns and metadata': {
    OR: [...instants(MAX_CONDITIONS - 2), { 'metadata.n': 1 }, { tags: ['a'] }],
  },
  'nested to depth 4': {
    NOT: { AND: [{ OR: [...instants(10), { NOT: { custom_id: 'x' } }] }, { 'metadata.n': 1 }, ...instants(10)] },
  },
  'conditions on tags alone': { OR: [{ tags: ['a', 'b'] }, { AND: [{ tags: ['a'] }, { tags: ['x'] }] }] },
}
const OPTIONS: Record<string, object> = {
  alone: {},
  'with all options': {
    neighbors: 5,
    recency: { half_life_days: 30, weight: 0.5 },
    include: ['score_breakdown'],
    context: { namespaces: ['default', 'other'] },
  },
}
const rows = ['keyword', 'semantic', 'hybrid'].flatMap((mode) =>
  Object.keys(OPTIONS).flatMap((options) => Object.keys(FILTERS).map((filter) => ({ mode, options, filter }))),
)

// D1 refuses an expression of more than 100 levels, and each part of a statement adds to those around it.
test.each(rows)('a search by $mode $options is no deeper than D1 takes: $filter', async ({ mode, options, filter }) => {
  // By then the isolate asks for items of other models again.
  const now = ctx.now() + 60_000
  ctx = { ...ctx, now: () => now }
  const filters = FILTERS[filter]
  const more = { ...OPTIONS[options], mode, ...(filters === undefined ? {} : { filters }) }
  const { results } = await find(ctx, 'tea', more)
  expect(results.map(({ content }) => content.text).toSorted()).toEqual(['tea at noon', 'tea in the morning'])
})
