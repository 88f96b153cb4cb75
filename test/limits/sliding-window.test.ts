import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SlidingWindow } from '../../src/limits/sliding-window.ts'

const limitOf = (limit: number, windowMs: number) => ({ limit, windowMs, per: 'user' as const })

test('a permit acquired at t expires at t + window, not a millisecond before', () => {
  const window = new SlidingWindow(limitOf(2, 1_000))
  window.acquire(10)
  window.acquire(500)
  expect(window.availableAt(999)).toBe(1_010)
  expect(window.availableAt(1_009)).toBe(1_010)
  expect(window.availableAt(1_010)).toBe(1_010)
  window.acquire(1_010)
  expect(window.availableAt(1_011)).toBe(1_500)
})

test('several permits are available when so many have expired', () => {
  const window = new SlidingWindow(limitOf(5, 1_000))
  for (const at of [10, 20, 30]) window.acquire(at)
  expect(window.availableAt(40, 2)).toBe(40)
  expect(window.availableAt(40, 3)).toBe(1_010)
  expect(window.availableAt(40, 5)).toBe(1_030)
  expect(window.availableAt(1_030, 5)).toBe(1_030)
})

test('the state tells how many permits are left and when the oldest one expires', () => {
  const window = new SlidingWindow(limitOf(3, 60_000))
  expect(window.state('login', 0)).toEqual({
    policy: 'login',
    limit: 3,
    windowSeconds: 60,
    remaining: 3,
    resetSeconds: 0,
  })
  window.acquire(1_000)
  expect(window.state('login', 1_001)).toMatchObject({ remaining: 2, resetSeconds: 60 })
  expect(window.state('login', 61_000)).toMatchObject({ remaining: 3, resetSeconds: 0 })
})

test('a released permit is available at once; releasing an instant without a permit changes nothing', () => {
  const window = new SlidingWindow(limitOf(1, 1_000))
  const at = window.acquire(5)
  window.release(4)
  expect(window.availableAt(6)).toBe(1_005)
  window.release(at)
  expect(window.availableAt(6)).toBe(6)
})

test('a window built from stored instants continues the window that stored them', () => {
  const window = new SlidingWindow(limitOf(2, 1_000), [700, 100])
  expect(window.availableAt(800)).toBe(1_100)
})

test('security 47: in any order of calls, no window of that length holds more permits than the limit', () => {
  const steps = fc.array(fc.record({ after: fc.integer({ min: -300, max: 1_500 }), release: fc.boolean() }), {
    maxLength: 200,
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 7 }), steps, (limit, calls) => {
      const window = new SlidingWindow(limitOf(limit, 1_000))
      let now = 0
      let held: number[] = []
      for (const { after, release } of calls) {
        now += after
        const availableAt = window.availableAt(now)
        expect(availableAt).toBeGreaterThanOrEqual(now)
        const last = held.at(-1)
        if (release && last !== undefined) {
          window.release(last)
          held = held.slice(0, -1)
        } else if (availableAt === now) {
          held.push(window.acquire(now))
        }
        for (const start of held)
          expect(held.filter((at) => at >= start && at < start + 1_000).length).toBeLessThanOrEqual(limit)
      }
    }),
    { numRuns: 300 },
  )
})

test('a permit is available as soon as the window holds fewer than the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 100 }), (gaps) => {
      const window = new SlidingWindow(limitOf(3, 1_000))
      const held: number[] = []
      let now = 0
      for (const gap of gaps) {
        now += gap
        const inside = held.filter((at) => at > now - 1_000).length
        expect(window.availableAt(now) === now).toBe(inside < 3)
        if (inside < 3) held.push(window.acquire(now))
      }
    }),
    { numRuns: 300 },
  )
})

test('security 47: however a limit changes, a permit is given only where the window then holds fewer than the limit of that instant', () => {
  const steps = fc.array(
    fc.record({ after: fc.integer({ min: 0, max: 400 }), limit: fc.option(fc.integer({ min: 1, max: 9 })) }),
    { maxLength: 200 },
  )
  fc.assert(
    fc.property(steps, (calls) => {
      let limit = 3
      const window = new SlidingWindow(limitOf(limit, 1_000))
      const held: number[] = []
      let now = 0
      for (const { after, limit: next } of calls) {
        now += after
        if (next !== null) window.resize((limit = next))
        const inside = held.filter((at) => at > now - 1_000).length
        expect(window.availableAt(now) === now).toBe(inside < limit)
        expect(window.state('read', now)).toMatchObject({ limit, remaining: Math.max(0, limit - inside) })
        if (inside < limit) held.push(window.acquire(now))
      }
    }),
    { numRuns: 300 },
  )
})

test('security 47: a limit of 1,000 a second admits 1,000 in any second, and each call that it could admit', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -2, max: 3 }), { minLength: 5_000, maxLength: 6_000 }), (steps) => {
      const window = new SlidingWindow(limitOf(1_000, 1_000))
      const times: number[] = []
      const unlike: number[] = []
      let [now, latest] = [0, 0]
      for (const step of steps) {
        now += step
        latest = Math.max(latest, now)
        const isFree = (times.at(-1_000) ?? -Infinity) + 1_000 <= latest
        if ((window.availableAt(now) === now) !== isFree) unlike.push(now)
        if (isFree) times.push(window.acquire(now))
      }
      expect(unlike).toEqual([])
      expect(times.length).toBeGreaterThan(1_000)
      const spans = times.slice(1_000).map((at, nth) => at - (times[nth] ?? at))
      expect(Math.min(...spans)).toBeGreaterThanOrEqual(1_000)
    }),
    { numRuns: 10 },
  )
})
