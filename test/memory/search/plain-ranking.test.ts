import { describe, expect, test } from 'vitest'
import { MAX_CANDIDATES, UNSEEN_SHARE } from '../../../src/memory/search/ranking.ts'
import { rank, type Occurrence, type RankInput } from './plain-ranking.ts'

describe('rank, by hand', () => {
  const of = (input: Partial<RankInput>) =>
    rank({
      terms: 1,
      occurrences: [],
      visible: new Set(Array.from({ length: 300 }, (_, row) => row)),
      lengths: new Map(Array.from({ length: 300 }, (_, row) => [row, 10])),
      project: { items: 300, terms: 3_000 },
      hits: [],
      relative: false,
      weight: 0.3,
      threshold: null,
      floor: null,
      limit: 100,
      ...input,
    })
  const rowsOf = (ranked: { row: number }[]) => ranked.map(({ row }) => row)
  const once = (row: number, term = 0): Occurrence => ({ row, term, count: 1 })
  const hit = (row: number, semantic: number, similarity = semantic) => ({ row, semantic, similarity })

  test('no matches give no ranking', () => {
    expect(of({})).toEqual([])
  })

  test('a score is the weighted sum of both parts; a keyword match alone has 0.8 of what the last hit means', () => {
    const [both, meant, worded] = of({ occurrences: [once(2), once(3)], hits: [hit(2, 0.9), hit(1, 0.5)] })
    const keyword = both?.keyword ?? 0
    expect(keyword).toBeGreaterThan(0.5)
    expect(both).toMatchObject({ row: 2, semantic: 0.9, keywordRank: 2, semanticRank: 1 })
    expect(both?.score).toBeCloseTo(0.7 * keyword + 0.3 * 0.9, 12)
    expect(worded).toMatchObject({ row: 1, keyword: 0, keywordRank: null, semanticRank: 2, score: 0.15 })
    expect(meant).toMatchObject({ row: 3, keyword, semantic: UNSEEN_SHARE * 0.5, keywordRank: 1, semanticRank: null })
  })

  test('keyword scores compare with all that the query could score: a term that the project lacks counts as the rarest', () => {
    const [one] = of({ occurrences: [once(1)], weight: 0 })
    const [half] = of({ terms: 2, occurrences: [once(1)], weight: 0 })
    expect(one?.score).toBeGreaterThan(0.5)
    expect(one?.score).toBeLessThan(1)
    expect(half?.score).toBeLessThan((one?.score ?? 0) / 2)
    expect(of({ terms: 0, hits: [hit(1, 0.5)], weight: 0.3 })).toMatchObject([{ keyword: 0, score: 0.15 }])
  })

  test('a rare term counts for more than a common one, a second time for less than the first, a long text for less', () => {
    const common = Array.from({ length: 50 }, (_, row) => once(row + 100, 1))
    expect(rowsOf(of({ terms: 2, occurrences: [...common, once(1, 0)], limit: 1 }))).toEqual([1])
    const [twice, single] = of({ occurrences: [{ row: 1, term: 0, count: 2 }, once(2)] })
    expect(rowsOf([twice, single].filter((one) => one !== undefined))).toEqual([1, 2])
    expect(twice?.keyword).toBeLessThan(2 * (single?.keyword ?? 0))
    const lengths = new Map([
      [1, 40],
      [2, 5],
    ])
    expect(rowsOf(of({ occurrences: [once(1), once(2)], lengths }))).toEqual([2, 1])
  })

  test('equal scores go newest first, a threshold drops lower and missing similarities, limit cuts last', () => {
    const occurrences = [once(3), once(7), once(5)]
    expect(rowsOf(of({ occurrences }))).toEqual([7, 5, 3])
    expect(rowsOf(of({ occurrences, hits: [hit(7, 0.9), hit(3, 0.5)], threshold: 0.6 }))).toEqual([7])
    expect(rowsOf(of({ occurrences, limit: 2 }))).toEqual([7, 5])
  })

  test('threshold and floor compare the cosine of each hit, whatever its place', () => {
    const hits = [hit(1, 0.9, 0.1), hit(2, 0.8, 0.7), hit(3, 0.7, 0.2), hit(4, 0.6, 0.3)]
    expect(rowsOf(of({ hits, threshold: 0.3 }))).toEqual([2, 4])
    expect(rowsOf(of({ hits, floor: 0.2 }))).toEqual([2, 3, 4])
    expect(rowsOf(of({ hits, floor: 0.2, occurrences: [once(1)] }))).toEqual([1, 2, 3, 4])
  })

  test('of an unknown model the last of many hits is 0, and every hit stands by its distance from it', () => {
    const hits = Array.from({ length: 20 }, (_, at) => hit(at, 0.9 - at * 0.01))
    const ranked = of({ hits, relative: true, weight: 1 })
    expect(ranked[0]?.semantic).toBeCloseTo(0.19 / 0.29, 12)
    expect(ranked.at(-1)?.semantic).toBe(0)
  })

  test.each([1, 2, 3, 19])('of an unknown model the best of %i hits is never 0', (count) => {
    for (const best of [1, 0.5, 0, -0.2]) {
      const hits = Array.from({ length: count }, (_, at) => hit(at, best))
      expect(of({ hits, relative: true, weight: 1 })[0]?.score).toBeGreaterThan(0)
    }
  })

  test('of an unknown model hits that all equal the query are 1', () => {
    const hits = Array.from({ length: 30 }, (_, at) => hit(at, 1))
    expect(of({ hits, relative: true, weight: 1 }).map(({ score }) => Math.round(score * 1e6))).toEqual(
      hits.map(() => 1e6),
    )
  })

  test('the last hit is the 100th; the hits and the keyword matches besides them are 200 at most', () => {
    const hits = Array.from({ length: 150 }, (_, at) => hit(at, 0.9 - at * 0.001))
    const occurrences = Array.from({ length: 150 }, (_, at) => once(150 + at))
    const ranked = of({ hits, occurrences, limit: 300 })
    expect(ranked).toHaveLength(MAX_CANDIDATES)
    expect(ranked.find(({ semanticRank }) => semanticRank === null)?.semantic).toBeCloseTo(UNSEEN_SHARE * 0.801, 12)
  })
})
