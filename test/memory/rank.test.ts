import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { VectorHit } from '../../src/core/ports.ts'
import { accessValues } from '../../src/memory/access.ts'
import { rank, type Occurrence } from '../../src/memory/rank.ts'
import { readScope } from '../../src/memory/read-scope.ts'
import { searchSql } from '../../src/memory/search-sql.ts'
import { tokens } from '../../src/memory/tokens.ts'
import { ctxOf, embedded } from '../support/search.ts'
import { db, newTenant } from '../support/world.ts'

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

interface SqlRow {
  id: string
  score: number
  bm25: number | null
  word_rank: number | null
  hit: number | null
  vector_rank: number | null
}

async function bySql(terms: string[], hits: VectorHit[], weight: number, threshold: number | null, limit: number) {
  const scope = readScope(user.projectId, {}, undefined)
  const found = await db.all<SqlRow>(
    searchSql(scope.sql),
    ...accessValues(ctx),
    ...scope.values,
    JSON.stringify(terms),
    JSON.stringify(hits.map(({ item, version }) => `${item}:${version}`)),
    weight,
    threshold === null ? null : hits.filter(({ similarity }) => similarity >= threshold).length,
    limit,
  )
  return found
    .filter((row) => row.score !== null)
    .map(({ id, score, bm25, word_rank: wordRank, hit, vector_rank: vectorRank }) => ({
      row: rowOf(id),
      score,
      bm25,
      wordRank,
      similarity: hits[hit ?? -1]?.similarity ?? null,
      vectorRank,
    }))
}

function byRank(terms: string[], hits: VectorHit[], weight: number, threshold: number | null, limit: number) {
  const cut = texts.map((text) => tokens(text))
  const occurrences = terms.flatMap((term, index) =>
    cut.flatMap((words, at): Occurrence[] => {
      const count = words.filter((word) => word === term).length
      return count === 0 ? [] : [{ row: rowOf(ids[at] ?? ''), term: index, count }]
    }),
  )
  return rank({
    occurrences,
    lengths: new Map(cut.map((words, at) => [rowOf(ids[at] ?? ''), words.length])),
    project: { items: texts.length, words: cut.flat().length },
    hits: hits.map(({ item, similarity }) => ({ row: rowOf(item), similarity })),
    weight,
    threshold,
    limit,
  })
}

test('the statement of a search ranks as `rank` says in plain words', async () => {
  const terms = fc.uniqueArray(fc.constantFrom(...WORDS.flatMap((word) => tokens(word)), 'absent'), { maxLength: 5 })
  const hits = fc
    .uniqueArray(fc.nat(texts.length - 1), { maxLength: 12 })
    .chain((picked) =>
      fc.tuple(fc.constant(picked), fc.array(fc.nat(1_000), { minLength: picked.length, maxLength: picked.length })),
    )
    .map(([picked, scores]) => {
      const ordered = scores.map((score) => score / 1_000).sort((a, b) => b - a)
      return picked.map((at, place): VectorHit => ({
        item: ids[at] ?? '',
        version: 1,
        chunk: 0,
        similarity: ordered[place] ?? 0,
      }))
    })
  await fc.assert(
    fc.asyncProperty(
      terms,
      hits,
      fc.constantFrom(0.02, 0.3, 1),
      fc.option(fc.constantFrom(0.2, 0.6)),
      fc.integer({ min: 1, max: 30 }),
      async (words, found, weight, threshold, limit) => {
        const [sql, plain] = [
          await bySql(words, found, weight, threshold, limit),
          byRank(words, found, weight, threshold, limit),
        ]
        const rounded = (value: unknown): unknown =>
          JSON.parse(JSON.stringify(value), (_, v: unknown) => (typeof v === 'number' ? Math.round(v * 1e6) / 1e6 : v))
        expect(rounded(sql)).toEqual(rounded(plain))
      },
    ),
    { numRuns: 150 },
  )
})

test('hits of another version than the one that counts are dropped', async () => {
  const hits = [{ item: ids[0] ?? '', version: 2, chunk: 0, similarity: 0.9 }]
  expect(await bySql([], hits, 1, null, 10)).toEqual([])
})
