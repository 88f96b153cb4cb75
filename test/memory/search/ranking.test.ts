import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { VectorHit } from '../../../src/core/ports.ts'
import { accessValues } from '../../../src/memory/access.ts'
import { FUSION_K, MAX_KEYWORD_MATCHES } from '../../../src/memory/search/ranking.ts'
import { readScope } from '../../../src/memory/read-scope.ts'
import { hitsJson, searchSql, type SearchRow } from '../../../src/memory/search/search-sql.ts'
import { tokenize } from '../../../src/memory/keyword/tokenize.ts'
import { ctxOf, embedded } from '../../support/search.ts'
import { db, newTenant } from '../../support/world.ts'
import { rank, type Occurrence, type RankInput } from './plain-ranking.ts'

const WORDS = ['kettle', 'blue', 'house', 'tea', 'window', 'garden', 'rain', 'cat']

const user = await newTenant()
const ctx = ctxOf(user)
const texts = Array.from({ length: 24 }, (_, at) =>
  Array.from(
    { length: 3 + ((at * 7) % 12) },
    (_, word) => WORDS[(at * 5 + word * (at % 4) + word) % WORDS.length],
  ).join(' '),
)
const ids = await embedded(ctx, texts)
const rows = new Map(
  (
    await db.all<{ id: string; row: number }>('select id, row from memory_items where project_id = ?', user.projectId)
  ).map(({ id, row }) => [id, row]),
)
const rowOf = (id: string): number => rows.get(id) ?? 0

async function bySql(terms: string[], hits: VectorHit[], weight: number, threshold: number | null, limit: number) {
  const scope = readScope(ctx.principal, user.projectId, {}, undefined)
  const found = await db.all<SearchRow>(
    searchSql(scope.sql, { keyword: true, semantic: true }),
    ...accessValues(ctx),
    ...scope.values,
    JSON.stringify(terms),
    hitsJson(hits),
    weight,
    threshold === null ? null : hits.filter(({ similarity }) => similarity >= threshold).length,
    limit,
  )
  return found
    .filter((row) => row.score !== null)
    .map(({ id, score, bm25, keyword_rank: keywordRank, hit, semantic_rank: semanticRank }) => ({
      row: rowOf(id),
      score,
      bm25,
      keywordRank,
      similarity: hits[hit ?? -1]?.similarity ?? null,
      semanticRank,
    }))
}

function byRank(terms: string[], hits: VectorHit[], weight: number, threshold: number | null, limit: number) {
  const cut = texts.map((text) => tokenize(text))
  const occurrences = terms.flatMap((term, index) =>
    cut.flatMap((found, at): Occurrence[] => {
      const count = found.filter((one) => one === term).length
      return count === 0 ? [] : [{ row: rowOf(ids[at] ?? ''), term: index, count }]
    }),
  )
  return rank({
    occurrences,
    lengths: new Map(cut.map((found, at) => [rowOf(ids[at] ?? ''), found.length])),
    project: { items: texts.length, terms: cut.flat().length },
    hits: hits.map(({ item, similarity }) => ({ row: rowOf(item), similarity })),
    weight,
    threshold,
    limit,
  })
}

test('the statement of a search ranks as `rank` does', async () => {
  const queries = fc.uniqueArray(fc.constantFrom(...WORDS.flatMap((word) => tokenize(word)), 'absent'), {
    maxLength: 5,
  })
  const hits = fc
    .uniqueArray(fc.nat(texts.length - 1), { maxLength: 12 })
    .chain((picked) =>
      fc.tuple(fc.constant(picked), fc.array(fc.nat(1_000), { minLength: picked.length, maxLength: picked.length })),
    )
    .map(([picked, scores]) => {
      const ordered = scores.map((score) => score / 1_000).sort((a, b) => b - a)
      // Every other hit is as the vector index answers it: without its row.
      return picked.map((at, nth): VectorHit => ({
        item: ids[at] ?? '',
        ...(at % 2 === 0 ? { row: rowOf(ids[at] ?? '') } : {}),
        version: 1,
        chunk: 0,
        similarity: ordered[nth] ?? 0,
      }))
    })
  await fc.assert(
    fc.asyncProperty(
      queries,
      hits,
      fc.constantFrom(0.02, 0.3, 1),
      fc.option(fc.constantFrom(0.2, 0.6)),
      fc.integer({ min: 1, max: 30 }),
      async (terms, found, weight, threshold, limit) => {
        const [sql, plain] = [
          await bySql(terms, found, weight, threshold, limit),
          byRank(terms, found, weight, threshold, limit),
        ]
        const rounded = (value: unknown): unknown =>
          JSON.parse(JSON.stringify(value), (_, v: unknown) => (typeof v === 'number' ? Math.round(v * 1e6) / 1e6 : v))
        expect(rounded(sql)).toEqual(rounded(plain))
      },
    ),
    { numRuns: 150 },
  )
})

test('hits of another version than the embedded one are dropped', async () => {
  const hits = [{ item: ids[0] ?? '', version: 2, chunk: 0, similarity: 0.9 }]
  expect(await bySql([], hits, 1, null, 10)).toEqual([])
})

test('a hit whose row holds another item by now, as in a restored database, finds neither item', async () => {
  const [item = '', other = ''] = ids
  expect(await bySql([], [{ item, row: rowOf(other), version: 1, chunk: 0, similarity: 0.9 }], 1, null, 10)).toEqual([])
})

describe('rank, by hand', () => {
  const of = (input: Partial<RankInput>) =>
    rank({
      occurrences: [],
      lengths: new Map(Array.from({ length: 300 }, (_, row) => [row, 10])),
      project: { items: 300, terms: 3_000 },
      hits: [],
      weight: 1,
      threshold: null,
      limit: 100,
      ...input,
    })
  const rowsOf = (ranked: { row: number }[]) => ranked.map(({ row }) => row)
  const once = (row: number, term = 0): Occurrence => ({ row, term, count: 1 })

  test('no matches give no ranking', () => {
    expect(of({})).toEqual([])
  })

  test('a score is the sum of its weighted ranks: 1 / (60 + rank)', () => {
    const hits = [
      { row: 1, similarity: 0.9 },
      { row: 2, similarity: 0.8 },
    ]
    const [first, second] = of({ occurrences: [once(2)], hits, weight: 0.5 })
    expect(first).toMatchObject({ row: 2, keywordRank: 1, semanticRank: 2, similarity: 0.8 })
    expect(first?.score).toBeCloseTo(1 / (FUSION_K + 1) + 0.5 / (FUSION_K + 2), 12)
    expect(second).toEqual({
      row: 1,
      score: 0.5 / (FUSION_K + 1),
      bm25: null,
      keywordRank: null,
      similarity: 0.9,
      semanticRank: 1,
    })
  })

  test('a rare term counts for more than a common one, a second time for less than the first, a long text for less', () => {
    const common = Array.from({ length: 50 }, (_, row) => once(row + 100, 1))
    expect(rowsOf(of({ occurrences: [...common, once(1, 0)], limit: 1 }))).toEqual([1])
    const [twice, single] = of({ occurrences: [{ row: 1, term: 0, count: 2 }, once(2)] })
    expect(rowsOf([twice, single].filter((one) => one !== undefined))).toEqual([1, 2])
    expect(twice?.bm25).toBeLessThan(2 * (single?.bm25 ?? 0))
    const lengths = new Map([
      [1, 40],
      [2, 5],
    ])
    expect(rowsOf(of({ occurrences: [once(1), once(2)], lengths }))).toEqual([2, 1])
  })

  test('equal scores go newest first, a threshold drops lower and missing similarities, limit cuts last', () => {
    expect(rowsOf(of({ occurrences: [once(3), once(7), once(5)] }))).toEqual([7, 5, 3])
    const hits = [7, 3].map((row, at) => ({ row, similarity: 0.9 - at * 0.4 }))
    expect(rowsOf(of({ occurrences: [once(3), once(7), once(5)], hits, threshold: 0.6 }))).toEqual([7])
    expect(rowsOf(of({ occurrences: [once(3), once(7), once(5)], limit: 2 }))).toEqual([7, 5])
  })

  test('the best 200 keyword matches are considered', () => {
    const occurrences = Array.from({ length: 250 }, (_, row) => once(row))
    expect(of({ occurrences, limit: 300 })).toHaveLength(MAX_KEYWORD_MATCHES)
  })
})
