import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_RESERVATIONS, reserve, type Reservations } from '../../src/hub/reserve-delivery.ts'

const MINUTE = 60_000
const limit = { limit: 100, windowMs: MINUTE }

test('150 attempts at once: 100 now, 50 a minute later', () => {
  let slots: Reservations = NO_RESERVATIONS
  const places = Array.from({ length: 150 }, () => {
    const taken = reserve(slots, limit, 1_000, false)
    slots = taken.slots
    return taken.at
  })
  expect(places.filter((at) => at === 1_000)).toHaveLength(100)
  expect(places.filter((at) => at === 1_000 + MINUTE)).toHaveLength(50)
})

test('who comes back with a booking goes before who comes new', () => {
  const small = { limit: 1, windowMs: MINUTE }
  let { slots } = reserve(NO_RESERVATIONS, small, 0, false)
  const booked = reserve(slots, small, 1, false)
  expect(booked.at).toBe(MINUTE)
  ;({ slots } = booked)
  expect(reserve(slots, small, MINUTE, false).at).toBe(2 * MINUTE)
  expect(reserve(slots, small, MINUTE, true).at).toBe(MINUTE)
})

test('a latecomer does not make a window overflow: who meets it full waits on', () => {
  const small = { limit: 2, windowMs: MINUTE }
  const late: Reservations = { sent: [MINUTE - 1, MINUTE - 1], booked: [MINUTE, MINUTE] }
  expect(reserve(late, small, MINUTE, true).at).toBeGreaterThanOrEqual(2 * MINUTE - 1)
})

test('whenever attempts come and however late, no window lets more through than the limit, and all get through', () => {
  const run = fc.check(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.record({ after: fc.nat(40), late: fc.nat(60) }), { minLength: 1, maxLength: 60 }),
      (max, arrivals) => {
        const small = { limit: max, windowMs: 100 }
        const queue: { at: number; late: number; booked: boolean }[] = []
        let clock = 0
        for (const { after, late } of arrivals) queue.push({ at: (clock += after), late, booked: false })
        let slots: Reservations = NO_RESERVATIONS
        const sent: number[] = []
        for (let steps = 0; queue.length > 0; steps += 1) {
          if (steps > 10_000) return false
          queue.sort((a, b) => a.at - b.at)
          const next = queue.shift()!
          const taken = reserve(slots, small, next.at, next.booked)
          slots = taken.slots
          if (taken.at === next.at) sent.push(taken.at)
          // A message may come late once; a consumer that always comes late cannot be told a useful time.
          else queue.push({ at: taken.at + next.late, late: 0, booked: true })
        }
        return (
          sent.length === arrivals.length &&
          sent.every((at) => sent.filter((other) => other > at - 100 && other <= at).length <= max) &&
          slots.sent.length <= max &&
          slots.booked.length <= max
        )
      },
    ),
    { numRuns: 300 },
  )
  expect(run.counterexample).toBeNull()
})
