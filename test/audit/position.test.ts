import { expect, test } from 'vitest'
import { beforePage, comparePositions, earlier, START, type Position } from '../../src/audit/position.ts'

const ordered: Position[] = [
  beforePage(2_000, 'aud_b'),
  [2_000, 'aud_b', 4],
  [2_000, 'aud_b', 0],
  beforePage(2_000, 'aud_a'),
  [1_000, 'aud_z', 1],
]

test('positions are newest first: by the time of the page, its id and the place of the row', () => {
  expect(ordered.toReversed().toSorted(comparePositions)).toEqual(ordered)
  expect(ordered.toSorted(comparePositions)).toEqual(ordered)
})

test('the earlier of two positions comes first in the list, and any comes before none', () => {
  const [first, second] = ordered as [Position, Position]
  expect([earlier(first, second), earlier(second, first)]).toEqual([first, first])
  expect([earlier(null, second), earlier(second, null), earlier(null, null)]).toEqual([second, second, null])
})

test('a list begins before every page', () => {
  for (const position of ordered) expect(comparePositions(START, position)).toBeLessThan(0)
})
