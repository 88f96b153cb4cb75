import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_RESERVATIONS, reserveDelivery, type Reservations } from '../../src/hub/reserve-delivery.ts'

const MINUTE = 60_000
const limit = { limit: 100, windowMs: MINUTE }

test('150 attempts at once: 100 now, 50 a minute later', () => {
  let reservations: Reservations = NO_RESERVATIONS
  const instants = Array.from({ length: 150 }, () => {
    const reservation = reserveDelivery(reservations, limit, 1_000, false)
    reservations = reservation.reservations
    return reservation.at
  })
  expect(instants.filter((at) => at === 1_000)).toHaveLength(100)
  expect(instants.filter((at) => at === 1_000 + MINUTE)).toHaveLength(50)
})

test('an attempt that comes back with its reservation goes before a new one', () => {
  const small = { limit: 1, windowMs: MINUTE }
  let { reservations } = reserveDelivery(NO_RESERVATIONS, small, 0, false)
  const reservation = reserveDelivery(reservations, small, 1, false)
  expect(reservation.at).toBe(MINUTE)
  ;({ reservations } = reservation)
  expect(reserveDelivery(reservations, small, MINUTE, false).at).toBe(2 * MINUTE)
  expect(reserveDelivery(reservations, small, MINUTE, true).at).toBe(MINUTE)
})

test('a late attempt does not make a window overflow: an attempt that meets it full waits on', () => {
  const small = { limit: 2, windowMs: MINUTE }
  const late: Reservations = { sent: [MINUTE - 1, MINUTE - 1], reserved: [MINUTE, MINUTE] }
  expect(reserveDelivery(late, small, MINUTE, true).at).toBeGreaterThanOrEqual(2 * MINUTE - 1)
})

test('whenever attempts come and however late, no window lets more through than the limit, and all get through', () => {
  const run = fc.check(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.record({ after: fc.nat(40), late: fc.nat(60) }), { minLength: 1, maxLength: 60 }),
      (max, arrivals) => {
        const small = { limit: max, windowMs: 100 }
        const queue: { at: number; late: number; holds: boolean }[] = []
        let clock = 0
        for (const { after, late } of arrivals) queue.push({ at: (clock += after), late, holds: false })
        let reservations: Reservations = NO_RESERVATIONS
        const sent: number[] = []
        for (let steps = 0; queue.length > 0; steps += 1) {
          if (steps > 10_000) return false
          queue.sort((a, b) => a.at - b.at)
          const next = queue.shift()!
          const reservation = reserveDelivery(reservations, small, next.at, next.holds)
          reservations = reservation.reservations
          if (reservation.at === next.at) sent.push(reservation.at)
          // A message comes late at most once. No instant would suit a consumer that is always late.
          else queue.push({ at: reservation.at + next.late, late: 0, holds: true })
        }
        return (
          sent.length === arrivals.length &&
          sent.every((at) => sent.filter((other) => other > at - 100 && other <= at).length <= max) &&
          reservations.sent.length <= max &&
          reservations.reserved.length <= max
        )
      },
    ),
    { numRuns: 300 },
  )
  expect(run.counterexample).toBeNull()
})
