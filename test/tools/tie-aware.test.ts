import { expect, test } from 'vitest'
import { expectedReciprocal, expectedRight, tieGroups } from '../../bench/support/tie-aware.ts'

interface Found {
  id: string
  score: number
}

const orders = <T>(list: readonly T[]): T[][] =>
  list.length === 0 ? [[]] : list.flatMap((one, at) => orders(list.toSpliced(at, 1)).map((rest) => [one, ...rest]))

/** Every order of the results that their scores allow. */
const rankings = (found: readonly Found[]): Found[][] =>
  orders(found).filter((order) => order.every(({ score }, at) => at === 0 || score <= (order[at - 1]?.score ?? 1)))

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

const ANSWERS: [name: string, scores: number[], right: number[]][] = [
  ['no ties', [0.9, 0.8, 0.7], [1]],
  ['the right one of two equal ones', [0.9, 0.9, 0.5], [1]],
  ['two right ones of four equal ones', [0.9, 0.7, 0.7, 0.7, 0.7, 0.2], [1, 4]],
  ['right ones in two groups', [0.9, 0.9, 0.9, 0.4, 0.4, 0.4], [2, 3, 5]],
  ['a group beyond the depth', [0.9, 0.8, 0.5, 0.5, 0.5, 0.5], [3]],
  ['all equal', [0.3, 0.3, 0.3, 0.3, 0.3], [0, 1]],
  ['none right', [0.9, 0.9], []],
  ['nothing found', [], []],
]

test.each(ANSWERS)('tie-aware measures are the means over all orders of equal scores: %s', (_, scores, right) => {
  const found = scores.map((score, at) => ({ id: String(at), score }))
  const isRight = (id: string): boolean => right.includes(Number(id))
  const groups = tieGroups(found, isRight)
  const all = rankings(found)
  for (const depth of [1, 3, 4, 10]) {
    const rightOf = (order: readonly Found[]): number => order.slice(0, depth).filter(({ id }) => isRight(id)).length
    const reciprocalOf = (order: readonly Found[]): number => {
      const first = order.slice(0, depth).findIndex(({ id }) => isRight(id))
      return first < 0 ? 0 : 1 / (first + 1)
    }
    expect(expectedRight(groups, depth)).toBeCloseTo(mean(all.map(rightOf)), 10)
    expect(expectedReciprocal(groups, depth)).toBeCloseTo(mean(all.map(reciprocalOf)), 10)
  }
})
