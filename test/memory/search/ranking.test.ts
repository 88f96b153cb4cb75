import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordsOf } from '../../../src/memory/keyword/cut.ts'
import { MAX_CANDIDATES, MAX_SEMANTIC_HITS } from '../../../src/memory/search/ranking.ts'
import type { ScoredHit } from '../../../src/memory/search/semantic-sql.ts'
import { ask, newCorpus } from './corpus.ts'

const WORDS = ['kettle', 'blue', 'house', 'tea', 'window', 'garden', 'rain', 'cat']

const texts = Array.from({ length: 24 }, (_, at) =>
  Array.from(
    { length: 3 + ((at * 7) % 12) },
    (_, word) => WORDS[(at * 5 + word * (at % 4) + word) % WORDS.length],
  ).join(' '),
)
/** Every fifth text is hidden. */
const { owner, member, ids, rowOf, bySql, byRank } = await newCorpus(texts, (at) => at % 5 === 4)

/** Hits of up to 24 texts, best first. Every other one is as the vector index answers it: without its row. */
const someHits = fc
  .uniqueArray(fc.tuple(fc.nat(texts.length - 1), fc.integer({ min: -100, max: 1_000 }), fc.nat(1_000)), {
    selector: ([at]) => at,
  })
  .map((picked) =>
    picked
      .map(([at, similarity, semantic]): ScoredHit => ({
        item: ids[at] ?? '',
        ...(at % 2 === 0 ? { row: rowOf(ids[at] ?? '') } : {}),
        version: 1,
        similarity: similarity / 1_000,
        semantic: semantic / 1_000,
      }))
      .sort((a, b) => b.semantic - a.semantic),
  )

const anything = fc.record({
  terms: fc.uniqueArray(fc.constantFrom(...WORDS.flatMap((word) => wordsOf(word)), 'absent'), { maxLength: 5 }),
  hits: someHits,
  relative: fc.boolean(),
  weight: fc.constantFrom(0, 0.1, 0.3, 1),
  threshold: fc.option(fc.constantFrom(0.2, 0.6)),
  floor: fc.option(fc.constantFrom(0.2, 2)),
  limit: fc.integer({ min: 1, max: 30 }),
})

const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, v: unknown) => (typeof v === 'number' ? Math.round(v * 1e6) / 1e6 : v))

test('the statement of a search ranks as `rank` does, for one who sees all and for one who does not', async () => {
  await fc.assert(
    fc.asyncProperty(anything, fc.constantFrom(owner, member), fc.boolean(), async (asked, caller, whole) => {
      const sql = await bySql(asked, { caller, whole })
      expect(rounded(sql)).toEqual(rounded(byRank(asked, { caller })))
      for (const { score } of sql) expect(score).toBeLessThanOrEqual(1)
    }),
    { numRuns: 200 },
  )
})

test('it considers the best 100 hits, and keyword matches besides them until there are 200', async () => {
  const words = Array.from({ length: 130 }, (_, at) => `the kettle sings ${'and sings '.repeat(at % 7)}`)
  const others = Array.from({ length: 110 }, (_, at) => `a quiet garden, bed ${at}`)
  const many = await newCorpus([...words, ...others])
  const hits = many.ids.slice(words.length).map((item, nth) => {
    const semantic = 0.9 - nth / 1_000
    return { item, row: many.rowOf(item), version: 1, similarity: semantic, semantic }
  })
  for (const whole of [false, true]) {
    const asked = ask({ terms: wordsOf('kettle'), hits, limit: 300 })
    const found = await many.bySql(asked, { whole })
    expect(found).toHaveLength(MAX_CANDIDATES)
    expect(found.filter(({ semanticRank }) => semanticRank !== null)).toHaveLength(MAX_SEMANTIC_HITS)
    expect(rounded(found)).toEqual(rounded(many.byRank(asked)))
  }
})

test('a hidden hit changes no score: neither as the best one nor as the last', async () => {
  const [hidden = '', first = '', last = ''] = [ids[4], ids[0], ids[1]]
  const hit = (item: string, semantic: number): ScoredHit => ({ item, version: 1, similarity: semantic, semantic })
  const seen = [hit(first, 0.8), hit(last, 0.5)]
  for (const relative of [false, true]) {
    const asked = ask({ terms: ['kettl'], relative })
    const alone = await bySql({ ...asked, hits: seen }, { caller: member })
    expect(alone.length).toBeGreaterThan(2)
    expect(
      await bySql({ ...asked, hits: [hit(hidden, 0.9), ...seen, hit(ids[9] ?? '', 0.1)] }, { caller: member }),
    ).toEqual(alone)
  }
})

test('hits of another version than the embedded one are dropped', async () => {
  const hits = [{ item: ids[0] ?? '', version: 2, similarity: 0.9, semantic: 0.9 }]
  expect(await bySql(ask({ hits }))).toEqual([])
})

test('a hit whose row holds another item by now, as in a restored database, finds neither item', async () => {
  const [item = '', other = ''] = ids
  const hits = [{ item, row: rowOf(other), version: 1, similarity: 0.9, semantic: 0.9 }]
  expect(await bySql(ask({ hits }))).toEqual([])
})
