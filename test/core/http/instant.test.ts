import { expect, test } from 'vitest'
import { readInstant } from '../../../src/core/http/instant.ts'

test.each([
  ['2024-05-01T10:00:00+0200', '2024-05-01T08:00:00.000Z'],
  ['2024-05-01T10:00:00-0330', '2024-05-01T13:30:00.000Z'],
  ['2024-05-01T10:00:00z', '2024-05-01T10:00:00.000Z'],
  ['2024-05-01t10:00:00z', '2024-05-01T10:00:00.000Z'],
  ['2024-05-01 10:00:00+00:00', '2024-05-01T10:00:00.000Z'],
  ['2024-05-01T10:00:00.123456+00:00', '2024-05-01T10:00:00.123Z'],
  ['2024-05-01T10:00Z', '2024-05-01T10:00:00.000Z'],
  ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
])('%s is read', (text, utc) => {
  expect(new Date(Number(readInstant(text))).toISOString()).toBe(utc)
})

test.each([
  ['2024-05-01T10:00:00', 'no offset'],
  ['2024-05-01 10:00', 'no offset'],
  ['2024-02-30T10:00:00Z', 'does not exist'],
  ['2023-02-29T10:00:00', 'does not exist'],
  ['2024-13-01T10:00:00Z', 'does not exist'],
  ['2024-05-00T10:00:00Z', 'does not exist'],
  ['2024-05-01', 'such as 2026'],
  ['2024-05-01T25:00:00Z', 'such as 2026'],
  ['2024-05-01T24:00:00Z', 'such as 2026'],
  ['2024-05-01T10:00:61Z', 'such as 2026'],
  ['2024-05-01T10:00:00+2', 'such as 2026'],
  ['2024-05-01T10:00:00+99:99', 'such as 2026'],
  ['1714557600', 'such as 2026'],
  ['Wed, 01 May 2024', 'such as 2026'],
  ['', 'such as 2026'],
])('%j is refused and told why: %s', (text, why) => {
  expect(readInstant(text)).toMatchObject({ fault: expect.stringContaining(why) })
})

test('a date is its midnight in UTC where dates are read', () => {
  expect(readInstant('2024-05-01', { dates: true })).toBe(Date.parse('2024-05-01T00:00:00Z'))
  expect(readInstant('yesterday', { dates: true })).toEqual({ fault: expect.stringContaining('or a date alone') })
  expect(readInstant('2024-02-30', { dates: true })).toMatchObject({ fault: expect.stringContaining('does not exist') })
})
