import { expect, test } from 'vitest'
import { startOfDay, zoneOf } from '../../src/portal/days.ts'

test.each([
  ['2026-11-26', 'UTC', 0, '2026-11-26T00:00:00.000Z'],
  ['2026-11-26', 'UTC', 1, '2026-11-27T00:00:00.000Z'],
  ['2026-11-26', 'Asia/Tokyo', 0, '2026-11-25T15:00:00.000Z'],
  ['2026-11-26', 'Asia/Kathmandu', 0, '2026-11-25T18:15:00.000Z'],
  ['2026-11-26', 'America/New_York', 0, '2026-11-26T05:00:00.000Z'],
  // The days on which the clock changes have 23 and 25 hours.
  ['2026-03-29', 'Europe/Berlin', 0, '2026-03-28T23:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', 1, '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', 0, '2026-10-24T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', 1, '2026-10-25T23:00:00.000Z'],
  // The clock goes from midnight to one o'clock, and back from one o'clock to midnight.
  ['2026-03-08', 'America/Havana', 0, '2026-03-08T05:00:00.000Z'],
  ['2026-11-01', 'America/Havana', 0, '2026-11-01T04:00:00.000Z'],
  // Local mean time has seconds.
  ['1880-01-01', 'America/New_York', 0, '1880-01-01T04:56:02.000Z'],
  ['9999-12-31', 'America/New_York', 1, '9999-12-31T23:59:59.999Z'],
  ['yesterday', 'Asia/Tokyo', 0, 'yesterday'],
  ['2026-13-01', 'Asia/Tokyo', 0, '2026-13-01'],
])('%s in %s, %i days later, begins at %s', (day, zone, later, start) => {
  expect(startOfDay(day, zone, later)).toBe(start)
})

test.each([
  ['Asia/Tokyo', 'Asia/Tokyo'],
  ['', 'UTC'],
  ['Nowhere/Town', 'UTC'],
  ['<b>', 'UTC'],
])('the zone %j is %s', (name, zone) => {
  expect(zoneOf(name)).toBe(zone)
})
