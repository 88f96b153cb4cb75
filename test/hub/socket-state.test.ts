import { expect, test } from 'vitest'
import { acknowledge, fits, isBehind, MAX_UNACKNOWLEDGED, type SocketState } from '../../src/hub/socket-state.ts'

const held = (...clientIds: (string | null)[]) => clientIds.map((clientId) => ({ clientId }))
const nine = Array<string | null>(9).fill(null)

test.each([
  ['none is open', held(), null, true],
  ['nine are open', held(...nine), null, true],
  ['ten are open', held(...nine, null), null, false],
  ['ten are open, one of them to be replaced', held(...nine, 'laptop'), 'laptop', true],
  ['ten others are open', held(...nine, 'laptop'), 'phone', false],
  ['eleven are open, two of them of the same client', held(...nine, 'laptop', 'laptop'), 'laptop', true],
])('whether one more connection fits where %s', (_, open, clientId, expected) => {
  expect(fits(open, clientId, 10)).toBe(expected)
})

const state = (sent: number, acknowledged: number | null, replayed = 1): SocketState => ({
  connectionId: 'c',
  clientId: null,
  credential: { id: 'key_1', grantId: null, expiresAt: null },
  sent,
  replayed,
  acknowledged,
})

test.each([
  ['never acknowledged', 5_000, null, 1, false],
  ['one short of the bound', MAX_UNACKNOWLEDGED + 6, 7, 1, false],
  ['at the bound', MAX_UNACKNOWLEDGED + 7, 7, 1, true],
  ['one short of the bound, counted from the end of the resume', MAX_UNACKNOWLEDGED + 1_999, 7, 2_000, false],
  ['at the bound, counted from the end of the resume', MAX_UNACKNOWLEDGED + 2_000, 7, 2_000, true],
  ['at the bound, past the resume', MAX_UNACKNOWLEDGED + 2_007, 2_007, 2_000, true],
])('behind: %s', (_, sent, acknowledged, replayed, behind) => {
  expect(isBehind(state(sent, acknowledged, replayed))).toBe(behind)
})

test.each([
  ['the first acknowledgement', state(10, null), 4, 4],
  ['a later one', state(10, 4), 9, 9],
  ['an older one does not go back', state(10, 9), 4, 9],
  ['more than was sent counts as all', state(10, 4), 1_000_000, 10],
])('%s', (_, before, received, after) => {
  expect(acknowledge(before, received).acknowledged).toBe(after)
})
