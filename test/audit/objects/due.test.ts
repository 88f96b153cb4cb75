import { expect, test } from 'vitest'
import { CROWDED_BYTES, dueOf, PAGES_KEPT_MS, ROOMY_BYTES } from '../../../src/audit/objects/due.ts'
import { HOUR, MINUTE } from '../../support/clock.ts'

const NOW = Date.UTC(2026, 10, 23, 12, 34)
const NOON = Date.UTC(2026, 10, 23, 12)

test.each([
  ['an empty database', 9 * ROOMY_BYTES, null, null],
  ['a small one with young pages', ROOMY_BYTES - 1, NOW - PAGES_KEPT_MS, null],
  [
    'a small one with old pages',
    ROOMY_BYTES - 1,
    NOW - PAGES_KEPT_MS - 1,
    { before: NOW - PAGES_KEPT_MS, bytes: Infinity, onlyNewer: false },
  ],
  [
    'a large one with old pages, late ones too',
    ROOMY_BYTES + 7,
    NOW - PAGES_KEPT_MS - 1,
    { before: NOW - PAGES_KEPT_MS, bytes: Infinity, onlyNewer: false },
  ],
  ['a large one with pages of this hour', ROOMY_BYTES, NOON, null],
  ['a large one with pages of the hour before', ROOMY_BYTES + 7, NOON - 1, { before: NOON, bytes: 7, onlyNewer: true }],
  ['a crowded one with pages of this minute', CROWDED_BYTES, NOW - 5 * MINUTE, null],
  [
    'a crowded one with older pages of this hour',
    CROWDED_BYTES,
    NOW - 5 * MINUTE - 1,
    { before: NOW - 5 * MINUTE, bytes: CROWDED_BYTES - ROOMY_BYTES, onlyNewer: false },
  ],
] as const)('what leaves %s', (_, bytes, oldestAt, due) => {
  expect(dueOf(NOW, bytes, oldestAt)).toEqual(due)
})

test('in the first minutes of an hour the hour before is not closed', () => {
  expect(dueOf(NOON + 4 * MINUTE, ROOMY_BYTES, NOON - 2 * HOUR)?.before).toBe(NOON - HOUR)
  expect(dueOf(NOON + 5 * MINUTE, ROOMY_BYTES, NOON - 2 * HOUR)?.before).toBe(NOON)
})
