import { expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { RESUMABLE_MS, heardUntil } from '../../src/events/resume.ts'
import { system } from '../support/world.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const idAt = (ms: number) => newId('evt', ms, system.random)
const DAY = RESUMABLE_MS
const minuteAgo = NOW - 60_000

test.each([
  ['malformed', 'hello', { fanned_out_at: NOW, settled_at: null }, NOW, null],
  ['of another type', newId('mem', NOW, system.random), { fanned_out_at: NOW, settled_at: null }, null, null],
  ['unknown, so perhaps foreign', idAt(minuteAgo), null, null, null],
  ['in the history', idAt(minuteAgo), { fanned_out_at: minuteAgo + 5, settled_at: null }, null, minuteAgo],
  ['without history, made for the caller', idAt(minuteAgo), null, minuteAgo, minuteAgo],
  [
    'fanned out again long after it was sent',
    idAt(minuteAgo),
    { fanned_out_at: NOW, settled_at: null },
    null,
    minuteAgo,
  ],
  ['24 h old to the millisecond', idAt(NOW - DAY), null, NOW - DAY, NOW - DAY],
  ['one millisecond older', idAt(NOW - DAY - 1), null, NOW - DAY - 1, null],
  [
    'made before, but sent within 24 h',
    idAt(NOW - DAY - 60_000),
    { fanned_out_at: NOW - DAY, settled_at: null },
    null,
    NOW - DAY - 60_000,
  ],
  ['sent just now, before what its receiver has yet to hear', idAt(NOW), null, NOW - 2 * DAY, NOW - 2 * DAY],
  ['sent just now, before what the history has lost', idAt(NOW), null, NOW - 31 * DAY, null],
  [
    'of a fan-out that ended within 24 h',
    idAt(NOW - DAY - 9),
    { fanned_out_at: NOW - DAY - 5, settled_at: NOW - DAY },
    null,
    NOW - DAY - 9,
  ],
  ['not fanned out yet', idAt(minuteAgo), { fanned_out_at: null, settled_at: null }, null, minuteAgo],
])('resume from an id %s', (_, id, stored, ephemeral, until) => {
  expect(heardUntil({ id, stored, ephemeral }, NOW)).toBe(until)
})
