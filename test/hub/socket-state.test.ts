import { expect, test } from 'vitest'
import { acknowledge, fits, type SocketState } from '../../src/hub/socket-state.ts'

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
  ['the first acknowledgement', state(10, null), 4, 4],
  ['a later one', state(10, 4), 9, 9],
  ['an older one does not go back', state(10, 9), 4, 9],
  ['more than was sent counts as all', state(10, 4), 1_000_000, 10],
])('%s', (_, before, received, after) => {
  expect(acknowledge(before, received).acknowledged).toBe(after)
})
