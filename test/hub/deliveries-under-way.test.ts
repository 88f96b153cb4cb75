import { expect, test } from 'vitest'
import { DeliveriesUnderWay, maxUnderWay } from '../../src/hub/deliveries-under-way.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

test.each([
  [100, 50],
  [1, 50],
  [400, 100],
  [60_000, 250],
])('a limit of %s a minute for each subscription lets a user have %s attempts under way', (limit, most) => {
  expect(maxUnderWay({ limit, windowMs: MINUTE })).toBe(most)
})

test('so many are under way, and one more when one has ended', () => {
  const underWay = new DeliveriesUnderWay()
  underWay.begin(3, 0)
  expect(underWay.free(5, 1)).toBe(2)
  underWay.begin(2, 1)
  expect(underWay.free(5, 2)).toBe(0)
  underWay.end(1)
  expect(underWay.free(5, 2)).toBe(1)
  // A limit that is lowered meanwhile ends nothing.
  expect(underWay.free(2, 2)).toBe(0)
})

test('an attempt whose end nobody tells counts for 30 s, and none counts after a clock that went back', () => {
  const underWay = new DeliveriesUnderWay()
  underWay.begin(5, 1_000)
  expect([30_999, 31_000].map((now) => underWay.free(5, now))).toEqual([0, 5])
  underWay.begin(5, 40_000)
  expect(underWay.free(5, 0)).toBe(5)
})

test('more ends than beginnings, as after a restart, change nothing', () => {
  const underWay = new DeliveriesUnderWay()
  underWay.end(3)
  underWay.begin(1, 0)
  expect(underWay.free(5, 0)).toBe(4)
})

test('the line moves by as many in 15 s as may be under way, and nobody is told to wait longer than ten minutes', () => {
  const underWay = new DeliveriesUnderWay()
  const waits = Array.from({ length: 5_000 }, () => underWay.waitMs(50, 0))
  expect(waits.slice(0, 3)).toEqual([300, 600, 900])
  expect(waits[49]).toBe(15 * SECOND)
  expect(Math.max(...waits)).toBe(10 * MINUTE)
  // The line is gone by then.
  expect(underWay.waitMs(50, 20 * MINUTE)).toBe(300)
})
