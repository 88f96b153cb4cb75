import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SlidingWindow } from '../../src/limits/window.ts'

const limitOf = (limit: number, windowMs: number) => ({ limit, windowMs, per: 'user' as const })

test('a place taken at t is free again at t + window, not a millisecond before', () => {
  const window = new SlidingWindow(limitOf(2, 1_000))
  window.acquire(10)
  window.acquire(500)
  expect(window.freeAt(999)).toBe(1_010)
  expect(window.freeAt(1_009)).toBe(1_010)
  expect(window.freeAt(1_010)).toBe(1_010)
  window.acquire(1_010)
  expect(window.freeAt(1_011)).toBe(1_500)
})

test('the state tells what is left and when the next place is free', () => {
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

test('a place given back is free at once; an instant that was never taken changes nothing', () => {
  const window = new SlidingWindow(limitOf(1, 1_000))
  const at = window.acquire(5)
  window.release(4)
  expect(window.freeAt(6)).toBe(1_005)
  window.release(at)
  expect(window.freeAt(6)).toBe(6)
})

test('a window that is built from stored instants goes on where the other stopped', () => {
  const window = new SlidingWindow(limitOf(2, 1_000), [700, 100])
  expect(window.freeAt(800)).toBe(1_100)
})

test('security 47: whatever comes when, no window of that length ever holds one more than the limit', () => {
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
        const freeAt = window.freeAt(now)
        expect(freeAt).toBeGreaterThanOrEqual(now)
        const last = held.at(-1)
        if (release && last !== undefined) {
          window.release(last)
          held = held.slice(0, -1)
        } else if (freeAt === now) {
          held.push(window.acquire(now))
        }
        for (const start of held)
          expect(held.filter((at) => at >= start && at < start + 1_000).length).toBeLessThanOrEqual(limit)
      }
    }),
    { numRuns: 300 },
  )
})

test('nobody is refused without need: a place is free as soon as the window holds less than the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 100 }), (gaps) => {
      const window = new SlidingWindow(limitOf(3, 1_000))
      const held: number[] = []
      let now = 0
      for (const gap of gaps) {
        now += gap
        const inside = held.filter((at) => at > now - 1_000).length
        expect(window.freeAt(now) === now).toBe(inside < 3)
        if (inside < 3) held.push(window.acquire(now))
      }
    }),
    { numRuns: 300 },
  )
})
