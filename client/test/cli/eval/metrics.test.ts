import { expect, test } from 'vitest'
import { figuresOf, percentile, recallAt, reciprocalRank, worstOf, type Ranked } from '../../../src/cli/eval/metrics.ts'

const ranked = (more: Partial<Ranked>): Ranked => ({
  expected: 1,
  ranks: [],
  results: 20,
  ms: 10,
  degraded: false,
  notReranked: false,
  ...more,
})

test.each([
  [{ expected: 1, ranks: [1] }, 1, 1],
  [{ expected: 2, ranks: [1] }, 10, 0.5],
  [{ expected: 2, ranks: [3, 10] }, 3, 0.5],
  [{ expected: 2, ranks: [3, 10] }, 10, 1],
  [{ expected: 4, ranks: [11, 12] }, 10, 0],
])('recall of %j at %i is %d', (answer, depth, recall) => {
  expect(recallAt(answer, depth)).toBe(recall)
})

test.each([
  [[], 0],
  [[1, 2], 1],
  [[4, 9], 0.25],
  [[20], 0.05],
  [[21], 0],
])('the reciprocal rank of %j is %d', (ranks, reciprocal) => {
  expect(reciprocalRank({ ranks })).toBe(reciprocal)
})

test.each([
  [[], 0.5, null],
  [[7], 0.95, 7],
  [[30, 10, 20], 0.5, 20],
  [[4, 3, 2, 1], 0.5, 2],
  [Array.from({ length: 100 }, (_, n) => n + 1), 0.95, 95],
  [[2, 10, 9], 1, 10],
])('of %j, the percentile %d is %d', (values, share, value) => {
  expect(percentile(values, share)).toBe(value)
})

test('questions without an answer count in false positives alone, and in times', () => {
  const figures = figuresOf([
    ranked({ ranks: [1], ms: 10 }),
    ranked({ expected: 2, ranks: [2], ms: 20, degraded: true }),
    ranked({ expected: 0, results: 3, ms: 300, notReranked: true }),
    ranked({ expected: 0, results: 0, ms: 30 }),
  ])
  expect(figures).toEqual({
    answerable: 2,
    recall_at_1: 0.5,
    recall_at_3: 0.75,
    recall_at_5: 0.75,
    recall_at_10: 0.75,
    mrr: 0.75,
    unanswerable: 2,
    false_positives: 1,
    p50_ms: 20,
    p95_ms: 300,
    degraded: 1,
    not_reranked: 1,
  })
})

test('no questions have no figures', () => {
  expect(figuresOf([])).toMatchObject({ answerable: 0, recall_at_10: null, mrr: null, p50_ms: null, p95_ms: null })
})

test('the worst answers come first, and full ones not at all', () => {
  const answers = Object.entries({
    full: ranked({ ranks: [1] }),
    late: ranked({ ranks: [4] }),
    missed: ranked({ ranks: [] }),
    later: ranked({ ranks: [9] }),
    half: ranked({ expected: 2, ranks: [1] }),
    beyond: ranked({ ranks: [12] }),
    rightlyEmpty: ranked({ expected: 0, results: 0 }),
    falsePositive: ranked({ expected: 0, results: 1 }),
  }).map(([name, each]) => ({ name, ranked: each }))
  const worst = worstOf(answers, 10).map(({ name }) => name)
  expect(worst).toEqual(['missed', 'falsePositive', 'beyond', 'half', 'later', 'late'])
  expect(worstOf(answers, 2).map(({ name }) => name)).toEqual(['missed', 'falsePositive'])
})
