import { expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { RESUMABLE_MS, heardUntil } from '../../src/events/resume.ts'
import { system } from '../support/world.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const idAt = (ms: number) => newId('evt', ms, system.random)
const DAY = RESUMABLE_MS
const minuteAgo = NOW - 60_000

test.each([
  ['malformed', 'hello', { fanned_out_at: NOW }, true, null],
  ['of another type', newId('mem', NOW, system.random), { fanned_out_at: NOW }, false, null],
  ['unknown, so perhaps foreign', idAt(minuteAgo), null, false, null],
  ['in the history', idAt(minuteAgo), { fanned_out_at: minuteAgo + 5 }, false, minuteAgo],
  ['without history, made for the caller', idAt(minuteAgo), null, true, minuteAgo],
  ['fanned out again long after it was sent', idAt(minuteAgo), { fanned_out_at: NOW }, false, minuteAgo],
  ['24 h old to the millisecond', idAt(NOW - DAY), null, true, NOW - DAY],
  ['one millisecond older', idAt(NOW - DAY - 1), null, true, null],
  [
    'made before, but sent within 24 h',
    idAt(NOW - DAY - 60_000),
    { fanned_out_at: NOW - DAY },
    false,
    NOW - DAY - 60_000,
  ],
  ['not fanned out yet', idAt(minuteAgo), { fanned_out_at: null }, false, minuteAgo],
])('resume from an id %s', (_, id, stored, ephemeral, until) => {
  expect(heardUntil({ id, stored, ephemeral }, NOW)).toBe(until)
})
