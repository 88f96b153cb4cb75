import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accessValues } from '../../../src/memory/access.ts'
import { readScope } from '../../../src/memory/read-scope.ts'
import { legsOf } from '../../../src/memory/search/match.ts'
import { searchSql, unpacked, type PackedSearchRow } from '../../../src/memory/search/search-sql.ts'
import { hitsJson, type ScoredHit } from '../../../src/memory/search/semantic-sql.ts'
import { tokenize } from '../../../src/memory/keyword/tokenize.ts'
import { ctxOf, embedded } from '../../support/search.ts'
import { addMember, db, newTenant, system } from '../../support/world.ts'
import { rank, type Occurrence } from './plain-ranking.ts'

const WORDS = ['kettle', 'blue', 'house', 'tea', 'window', 'garden', 'rain', 'cat']

const user = await newTenant()
const member = await addMember(user, 'editor')
const texts = Array.from({ length: 24 }, (_, at) =>
  Array.from(
    { length: 3 + ((at * 7) % 12) },
    (_, word) => WORDS[(at * 5 + word * (at % 4) + word) % WORDS.length],
  ).join(' '),
)
/** The member may not see every fifth text. */
const isHidden = (at: number): boolean => at % 5 === 4
const ids: string[] = []
for (const [at, text] of texts.entries()) {
  const visibility = isHidden(at) ? 'private' : 'project'
  ids.push(...(await embedded(ctxOf(user), [text], { visibility })))
}
const rows = new Map(
  (
    await db.all<{ id: string; row: number }>('select id, row from memory_items where project_id = ?', user.projectId)
  ).map(({ id, row }) => [id, row]),
)
const rowOf = (id: string): number => rows.get(id) ?? 0

/** What a search asks its statement. */
interface Asked {
  terms: string[]
  hits: ScoredHit[]
  relative: boolean
  weight: number
  threshold: number | null
  floor: number | null
  limit: number
}

const ask = (changes: Partial<Asked>): Asked => ({
  terms: [],
  hits: [],
  relative: false,
  weight: 0.3,
  threshold: null,
  floor: null,
  limit: 10,
  ...changes,
})

async function bySql({ terms, hits, relative, weight, threshold, floor, limit }: Asked, caller = user, whole = false) {
  const ctx = ctxOf(caller)
  const scope = readScope(ctx.principal, user.projectId, {}, undefined)
  const answered = await db.all<PackedSearchRow>(
    searchSql(scope, {
      ...(whole ? { keyword: true, semantic: true } : legsOf(terms, hits)),
      relative,
      ranks: true,
      others: true,
      lends: whole,
      recency: false,
      neighbors: false,
      bounded: true,
    }),
    ...accessValues(ctx),
    ...scope.values,
    JSON.stringify(terms),
    hitsJson(hits),
    weight,
    threshold,
    floor,
    limit,
    system.embedder.model,
    system.embedder.dimension,
  )
  const found = answered.map(unpacked)
  return found
    .filter((row) => row.passes)
    .map(({ id, score, keyword, semantic, keyword_rank: keywordRank, semantic_rank: semanticRank, hit }) => {
      expect(hit === null ? id : hits[hit]?.item).toBe(id)
      return { row: rowOf(id), score, keyword, semantic, keywordRank, semanticRank }
    })
}

/** The plain ranking of the texts that the caller may see: of every text for the owner, not of hidden ones for the member. */
function byRank({ terms, hits, ...asked }: Asked, sees: (at: number) => boolean) {
  const cut = texts.map((text) => tokenize(text))
  const occurrences = terms.flatMap((term, index) =>
    cut.flatMap((found, at): Occurrence[] => {
      const count = found.filter((one) => one === term).length
      return count === 0 ? [] : [{ row: rowOf(ids[at] ?? ''), term: index, count }]
    }),
  )
  const visible = new Set(ids.filter((_, at) => sees(at)).map(rowOf))
  return rank({
    ...asked,
    terms: terms.length,
    occurrences,
    visible,
    lengths: new Map(cut.map((found, at) => [rowOf(ids[at] ?? ''), found.length])),
    project: { items: texts.length, terms: cut.flat().length },
    hits: hits
      .map(({ item, similarity, semantic }) => ({ row: rowOf(item), similarity, semantic }))
      .filter(({ row }) => visible.has(row)),
  })
}

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
  terms: fc.uniqueArray(fc.constantFrom(...WORDS.flatMap((word) => tokenize(word)), 'absent'), { maxLength: 5 }),
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
    fc.asyncProperty(anything, fc.boolean(), fc.boolean(), async (asked, all, whole) => {
      const sql = await bySql(asked, all ? user : member, whole)
      expect(rounded(sql)).toEqual(rounded(byRank(asked, (at) => all || !isHidden(at))))
      for (const { score } of sql) expect(score).toBeLessThanOrEqual(1)
    }),
    { numRuns: 200 },
  )
})

test('a hidden hit changes no score: neither as the best one nor as the last', async () => {
  const [hidden = '', first = '', last = ''] = [ids[4], ids[0], ids[1]]
  const hit = (item: string, semantic: number): ScoredHit => ({ item, version: 1, similarity: semantic, semantic })
  const seen = [hit(first, 0.8), hit(last, 0.5)]
  for (const relative of [false, true]) {
    const asked = ask({ terms: ['kettl'], relative })
    const alone = await bySql({ ...asked, hits: seen }, member)
    expect(alone.length).toBeGreaterThan(2)
    expect(await bySql({ ...asked, hits: [hit(hidden, 0.9), ...seen, hit(ids[9] ?? '', 0.1)] }, member)).toEqual(alone)
  }
})

test('contract §3: rarity is counted over the whole project: who sees fewer items sees the same keyword scores', async () => {
  for (const terms of [['kettl'], ['tea', 'absent'], ['blue', 'hous', 'cat']]) {
    const whole = new Map((await bySql(ask({ terms, weight: 0, limit: 30 }))).map(({ row, score }) => [row, score]))
    const seen = await bySql(ask({ terms, weight: 0, limit: 30 }), member)
    expect(seen.length).toBeGreaterThan(2)
    expect(seen.length).toBeLessThan(whole.size)
    for (const { row, score } of seen) expect(score).toBe(whole.get(row))
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
