import { expect, test } from 'vitest'
import { afterClose } from '../../src/stream/reconnect.ts'

test.each([
  [1, 0, 250],
  [1, 1, 500],
  [3, 1, 2_000],
  [50, 1, 30_000],
  [50, 0, 15_000],
])('after %i failures with randomness %d it waits %i ms', (failures, random, expected) => {
  expect(afterClose(1006, failures, random)).toEqual({ reconnectInMs: expected })
})

test.each([
  ['the line is lost', 1006, 1, 'reconnectInMs'],
  ['the hub restarts, or the client fell behind', 1013, 1, 'reconnectInMs'],
  ['the service goes away', 1001, 7, 'reconnectInMs'],
  ['a flood', 4429, 1, 'reconnectInMs'],
  ['the credential ended: perhaps its source has a fresh one', 4401, 1, 'reconnectInMs'],
  ['the fresh credential ended as well', 4401, 2, 'stopped'],
  ['rights lost', 4403, 1, 'stopped'],
  ['replaced', 4409, 1, 'stopped'],
])('%s (%i, failure %i): %s', (_, code, failures, outcome) => {
  expect(Object.keys(afterClose(code, failures, 0.5))).toEqual([outcome])
})
