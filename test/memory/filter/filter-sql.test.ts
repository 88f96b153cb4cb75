import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Meter } from '../../../src/core/database/meter.ts'
import { Filters, type Filter } from '../../../src/memory/filter/filter.ts'
import { filterSql } from '../../../src/memory/filter/filter-sql.ts'
import type { MemoryItem } from '../../../src/memory/item.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { db, newTenant } from '../../support/world.ts'

const user = await newTenant()
const ctx = ctxOf(user)
const TAGS = Array.from({ length: 40 }, (_, at) => `t${at}`)
const MIXED = [
  1,
  '1',
  true,
  null,
  '',
  [],
  [1],
  ['1', 2],
  [true],
  [null],
  [''],
  [[1]],
  [{ x: 1 }],
  { x: 1 },
  { 0: 1 },
  1.5,
]
const items: MemoryItem[] = []
for (let at = 0; at < 24; at++) {
  const tags = TAGS.filter((_, tag) => (at * 7 + tag * tag) % 24 < at).slice(0, 32)
  const metadata = {
    n: at % 3,
    s: `v${at % 4}`,
    deep: at % 2 ? { er: at % 5 } : null,
    mixed: MIXED[at % MIXED.length],
    'a.b': at % 2,
  }
  const more =
    at % 3
      ? { occurred_at: `20${10 + at}-01-01`, custom_id: `c${at}`, context: { conversation_id: at % 2 ? 'x' : 'y' } }
      : {}
  items.push(await stored(ctx, `text ${at}`, { content: { text: `text ${at}`, metadata }, tags, ...more }))
}

/** What a filter means, written plainly. */
function holds(filter: Filter, item: MemoryItem): boolean {
  if ('all' in filter) return filter.all.every((one) => holds(one, item))
  if ('any' in filter) return filter.any.some((one) => holds(one, item))
  if ('not' in filter) return !holds(filter.not, item)
  if ('tags' in filter) {
    const has = (tag: string): boolean => item.tags.includes(tag)
    return filter.match === 'any' ? filter.tags.some(has) : filter.tags.every(has)
  }
  if ('instant' in filter) {
    const at = item[filter.instant] ?? (filter.instant === 'occurred_at' ? item.created_at : '')
    return compare(Date.parse(at), filter.is, filter.ms)
  }
  if ('field' in filter) {
    const value = { ...item, ...item.context }[filter.field] ?? null
    return filter.oneOf.includes(value)
  }
  const value = [...filter.metadata.matchAll(/"([^"]+)"/g)].reduce<unknown>(
    (at, [, name = '']) => (at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[name] : undefined),
    item.content.metadata,
  )
  if ('oneOf' in filter) {
    const members: unknown[] = Array.isArray(value) ? value : [value ?? null]
    return filter.oneOf.some((one) => members.includes(one))
  }
  if (typeof value !== typeof filter.than) return false
  return compare(value as number, filter.is, filter.than as number)
}

const compare = (a: number, is: '>' | '>=' | '<' | '<=', b: number): boolean =>
  is === '>' ? a > b : is === '>=' ? a >= b : is === '<' ? a < b : a <= b

const tagCondition = fc.record(
  {
    tags: fc.array(fc.constantFrom(...TAGS, 'absent'), { minLength: 1, maxLength: 12 }),
    tags_match: fc.constantFrom('any', 'all'),
  },
  { requiredKeys: ['tags'] },
)
const manyTags = fc.record({ tags: fc.constant(TAGS), tags_match: fc.constantFrom('any', 'all') })
const otherCondition = fc.oneof(
  fc.record({ custom_id: fc.constantFrom('c1', 'c2', null) }),
  fc.record({ conversation_id: fc.record({ in: fc.constantFrom(['x'], ['x', null], ['y', 'x']) }) }),
  fc.record({ 'metadata.n': fc.constantFrom(0, 1, '1', { in: [0, 2, 0] }, { '>=': 1, '<': 2 }) }),
  fc.record({
    'metadata.mixed': fc.constantFrom(1, '1', true, false, null, '', 1.5, '{"x":1}', '[1]', { in: [2, null] }),
  }),
  fc.record({ 'metadata.mixed.x': fc.constantFrom(1, null) }),
  fc.record({ [String.raw`metadata.a\.b`]: fc.constantFrom(1, { in: [0, null] }, { '>=': 1 }) }),
  fc.record({ 'metadata.a.b': fc.constantFrom(1, null) }),
  fc.record({ 'metadata.s': fc.constantFrom('v1', null, { gt: 'v1' }) }),
  fc.record({ 'metadata.deep.er': fc.constantFrom(3, null, { lte: 2 }) }),
  fc.record({ occurred_at: fc.constantFrom({ '<': '2020-01-01T00:00:00Z' }, { gte: '2020-01-01T00:00:00Z' }) }),
  fc.record({ expires_at: fc.constant({ '<': '2100-01-01T00:00:00Z' }) }),
)
const filters = fc.letrec<{ filter: object }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { arbitrary: fc.oneof({ arbitrary: tagCondition, weight: 6 }, manyTags, otherCondition), weight: 3 },
    { arbitrary: fc.record({ AND: fc.array(tie('filter'), { minLength: 1, maxLength: 4 }) }), weight: 2 },
    { arbitrary: fc.record({ OR: fc.array(tie('filter'), { minLength: 1, maxLength: 4 }) }), weight: 2 },
    { arbitrary: fc.record({ NOT: fc.array(tie('filter'), { minLength: 1, maxLength: 4 }) }), weight: 2 },
  ),
})).filter

test('a filter selects the items for which it holds', async () => {
  let checked = 0
  await fc.assert(
    fc.asyncProperty(filters, async (raw) => {
      const parsed = Filters.safeParse(raw)
      // The generator may exceed a bound.
      if (!parsed.success) return
      checked += 1
      expect(await matching(parsed.data)).toEqual(items.filter((one) => holds(parsed.data, one)).map(({ id }) => id))
    }),
    { numRuns: 200 },
  )
  expect(checked).toBeGreaterThan(100)
})

async function matching(filter: Filter, meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }) {
  const { sql, params } = filterSql(filter)
  const rows = await db
    .metered(meter)
    .all<{ id: string }>(`select i.id from memory_items i where i.project_id = :project and ${sql} order by i.row`, {
      project: user.projectId,
      ...params,
    })
  return rows.map(({ id }) => id)
}

test('security 54: many tag conditions read the tags of an item once', async () => {
  const rowsOf = async (filter: unknown): Promise<number> => {
    const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    expect(await matching(Filters.parse(filter), meter)).toEqual([])
    return meter.rowsRead
  }
  // An item has most of the tags of each condition and none has all, so each condition is looked at to its end.
  const allTags = (at: number) => ({ tags: [...TAGS.slice(at, at + 15), `absent ${at}`], tags_match: 'all' })
  const simple = await rowsOf(allTags(0))
  const worst = await rowsOf({ OR: Array.from({ length: 16 }, (_, at) => allTags(at)) })
  expect(worst).toBeLessThan(4 * simple)
})
