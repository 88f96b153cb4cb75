import { expect, test } from 'vitest'
import { isBehind, MAX_UNACKNOWLEDGED } from '../../src/hub/acknowledgement-limit.ts'

test.each([
  ['never acknowledged', 5_000, null, 1, false],
  ['one short of the bound', MAX_UNACKNOWLEDGED + 6, 7, 1, false],
  ['at the bound', MAX_UNACKNOWLEDGED + 7, 7, 1, true],
  ['one short of the bound, counted from the end of the resume', MAX_UNACKNOWLEDGED + 1_999, 7, 2_000, false],
  ['at the bound, counted from the end of the resume', MAX_UNACKNOWLEDGED + 2_000, 7, 2_000, true],
  ['at the bound, past the resume', MAX_UNACKNOWLEDGED + 2_007, 2_007, 2_000, true],
])('behind: %s', (_, sent, acknowledged, replayed, behind) => {
  expect(isBehind({ sent, acknowledged, replayed })).toBe(behind)
})
