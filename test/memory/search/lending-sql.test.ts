import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newTrail } from '../../../src/core/context.ts'
import { Filters } from '../../../src/memory/filter/filter.ts'
import { wordsOf } from '../../../src/memory/keyword/cut.ts'
import { MAX_COUNT } from '../../../src/memory/keyword/postings.ts'
import { batch } from '../../../src/memory/operations/batch.ts'
import { readScope } from '../../../src/memory/filter/read-scope.ts'
import type { ScoredHit } from '../../../src/memory/search/semantic-sql.ts'
import { ctxOf } from '../../support/search.ts'
import { addMember, db, newTenant, system } from '../../support/world.ts'
import { rowsOf } from './corpus.ts'
import { lend, neighborsOf, type Turn } from './plain-neighbors.ts'
import { rank, type Occurrence } from './plain-ranking.ts'

const WORDS = ['kettle', 'blue', 'house', 'tea', 'window', 'garden']
const COUNT = 70
const EXPIRED_MS = 60_000

const user = await newTenant()
const member = await addMember(user, 'editor')

/** A mix of conversations, namespaces, lengths and dates; the member may not see a third of it, and ten in a row of conversation b. */
const items = Array.from({ length: COUNT }, (_, at) => ({
  content: Array.from(
    { length: at % 11 === 3 ? 140 + at : 2 + (at % 5) },
    (_, word) => WORDS[(at * at + word * (at % 3) + word) % 6],
  ).join(' '),
  context: {
    namespace: at % 7 === 6 ? 'other' : 'default',
    ...(at % 6 === 5 ? {} : { conversation_id: at < 35 ? 'a' : 'b' }),
  },
  ...(at % 4 === 0 ? {} : { occurred_at: `2023-05-0${1 + ((at * 5) % 8)}T00:00:00Z` }),
  ...(at % 9 === 4 ? { ttl: 1 } : {}),
  visibility: at % 3 === 1 || (at > 45 && at < 60) ? 'private' : 'project',
  tags: at % 2 === 0 ? ['even'] : [],
}))
const ids: string[] = []
for (let at = 0; at < COUNT; at += 50) {
  const operations = items.slice(at, at + 50).map((item) => ({ op: 'store', ...item }))
  const { results } = await batch({ ...ctxOf(user), trail: newTrail() }, { operations, atomic: true })
  ids.push(...results.map(({ id }) => id ?? ''))
}
await db.write(
  "update memory_items set embedded_version = 1, embedding_status = 'completed' where project_id = :project",
  { project: user.projectId },
)
const rows = await db.all<{ id: string; row: number; occurrence: number }>(
  'select id, row, occurrence from memory_items where project_id = :project order by row',
  { project: user.projectId },
)
const now = system.now() + EXPIRED_MS

interface Asked {
  terms: string[]
  hits: ScoredHit[]
  weight: number
  threshold: number | null
  floor: number | null
  limit: number
  filtered: boolean
  recency: { weight: number; halfLifeMs: number } | null
}

async function bySql(asked: Asked, owner: boolean) {
  const ctx = ctxOf(owner ? user : member, { now: () => now })
  const filter = asked.filtered ? Filters.parse({ tags: ['even'] }) : undefined
  const scope = readScope(ctx.principal, user.projectId, { namespace: 'default' }, filter)
  const found = await rowsOf(
    ctx,
    scope,
    asked,
    { lends: true, recency: asked.recency !== null },
    asked.recency ? { recency_weight: asked.recency.weight, half_life_ms: asked.recency.halfLifeMs } : {},
  )
  const matched = found.filter((row) => row.passes)
  expect(found[0]?.total ?? 0).toBeGreaterThanOrEqual(matched.length)
  return matched.map(({ id, score, gain }) => ({ row: rows[ids.indexOf(id)]?.row, score, gain }))
}

function plainly(asked: Asked, owner: boolean) {
  const turns = rows.map(({ id, row, occurrence }, at): Turn => {
    const { context, ttl, visibility, tags } = items[at] ?? { context: { namespace: '' }, tags: [], visibility: '' }
    const readable = ttl === undefined && (owner || visibility === 'project')
    const passes = readable && context.namespace === 'default' && (!asked.filtered || tags.length > 0)
    const conversation = 'conversation_id' in context ? context.conversation_id : undefined
    return {
      row,
      id,
      conversation: conversation ?? null,
      namespace: context.namespace,
      at: occurrence,
      readable,
      passes,
    }
  })
  const cut = items.map(({ content }) => wordsOf(content))
  // What the index counts: the namespace, and in it what the caller may read by its visibility.
  const isCounted = (at: number): boolean =>
    items[at]?.context.namespace === 'default' && (owner || items[at]?.visibility === 'project')
  const counted = cut.filter((_, at) => isCounted(at))
  const occurrences = asked.terms.flatMap((term, index) =>
    cut.flatMap((found, at): Occurrence[] => {
      const count = found.filter((one) => one === term).length
      return count === 0 || !isCounted(at)
        ? []
        : [{ row: rows[at]?.row ?? 0, term: index, count: Math.min(count, MAX_COUNT) }]
    }),
  )
  const visible = new Set(turns.filter(({ passes }) => passes).map(({ row }) => row))
  const results = rank({
    ...asked,
    relative: false,
    terms: asked.terms.length,
    occurrences,
    visible,
    lengths: new Map(cut.map((found, at) => [rows[at]?.row ?? 0, found.length])),
    turns: new Set(turns.flatMap(({ row, conversation }) => (conversation === null ? [] : [row]))),
    project: { items: counted.length, terms: counted.flat().length },
    hits: asked.hits.flatMap(({ row = 0, similarity, semantic }) =>
      visible.has(row) ? [{ row, similarity, semantic }] : [],
    ),
    limit: Infinity,
  })
  return lend({ ...asked, results, turns, now })
}

const asked = fc.record({
  terms: fc.uniqueArray(fc.constantFrom(...WORDS.flatMap((word) => wordsOf(word))), { maxLength: 3 }),
  hits: fc
    .uniqueArray(fc.tuple(fc.nat(COUNT - 1), fc.nat(1_000), fc.nat(1_000)), { selector: ([at]) => at, maxLength: 30 })
    .map((picked) =>
      picked
        .map(([at, similarity, semantic]): ScoredHit => ({
          item: ids[at] ?? '',
          row: rows[at]?.row ?? 0,
          version: 1,
          similarity: similarity / 1_000,
          semantic: semantic / 1_000,
        }))
        .sort((a, b) => b.semantic - a.semantic),
    ),
  weight: fc.constantFrom(0, 0.3, 1),
  threshold: fc.option(fc.constantFrom(0.2, 0.6), { freq: 3 }),
  floor: fc.option(fc.constantFrom(0.2, 0.5, 2)),
  limit: fc.integer({ min: 1, max: 100 }),
  filtered: fc.boolean(),
  recency: fc.option(
    fc.record({
      weight: fc.constantFrom(0, 0.2, 1),
      halfLifeMs: fc.constantFrom(1_000, 86_400_000, 3_153_600_000_000),
    }),
  ),
})

const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, v: unknown) => (typeof v === 'number' ? Math.round(v * 1e6) / 1e6 : v))

test('the statement lends and ages as the plain words say, for one who sees all and for one who does not', async () => {
  let gained = 0
  let added = 0
  await fc.assert(
    fc.asyncProperty(asked, fc.boolean(), async (one, owner) => {
      const sql = await bySql(one, owner)
      expect(rounded(sql)).toEqual(rounded(plainly(one, owner)))
      gained += sql.filter(({ gain }) => gain).length
      added += sql.filter(({ score, gain }) => !one.recency && score === gain).length
      for (const { score } of sql) expect(score).toBeLessThanOrEqual(1)
    }),
    { numRuns: 200 },
  )
  // Both kinds came up: a random run has thousands of the one and about twenty of the other.
  expect(gained).toBeGreaterThan(0)
  expect(added).toBeGreaterThan(0)
})

test('ten hidden items in a row part two of a conversation, seven do not', () => {
  const row = (at: number, readable: boolean): Turn => ({
    row: at,
    id: `mem_${String(at).padStart(3, '0')}`,
    conversation: 'c',
    namespace: 'n',
    at,
    readable,
    passes: true,
  })
  const parted = (hidden: number) => {
    const turns = [row(0, true), ...Array.from({ length: hidden }, (_, at) => row(at + 1, false)), row(99, true)]
    return neighborsOf(turns, turns[0] ?? row(0, true)).map(({ turn }) => turn.row)
  }
  expect(parted(7)).toEqual([99])
  expect(parted(8)).toEqual([])
})
