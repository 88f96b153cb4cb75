import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { DeliveryReservations } from '../../src/hub/delivery-reservations.ts'
import { limitFor } from '../../src/core/limits.ts'

const limit = () => limitFor('events.delivery', 1)
const MINUTE = 60_000

test('reservations made together are the same as those made one by one', async () => {
  const stub = env.USER_HUB.getByName(`00${crypto.randomUUID()}`)
  const [together, apart] = await runInDurableObject(stub, (_, state) => {
    const reserve = (subscription: string, held: boolean[]) =>
      new DeliveryReservations(state.storage.sql, limit).reserve(subscription, held, 5_000)
    const held = Array.from({ length: 105 }, (_, index) => index === 103)
    return [reserve('sub_1', held), held.flatMap((one) => reserve('sub_2', [one]))]
  })
  expect(together).toEqual(apart)
  expect(together?.slice(98)).toEqual([0, 0, ...Array.from({ length: 5 }, () => MINUTE)])
})

test('reservations of deliveries outlive a restart of the hub, and each subscription has its own', async () => {
  const stub = env.USER_HUB.getByName(`00${crypto.randomUUID()}`)
  const waits = await runInDurableObject(stub, (_, state) => {
    const reserve = (subscription: string, now: number) =>
      new DeliveryReservations(state.storage.sql, limit).reserve(subscription, [false], now)[0]
    const first = Array.from({ length: 101 }, () => reserve('sub_1', 5_000))
    return { first, other: reserve('sub_2', 5_000), later: reserve('sub_1', 5_000 + MINUTE) }
  })
  expect(waits.first.filter((wait) => wait === 0)).toHaveLength(100)
  expect(waits.first.at(-1)).toBe(MINUTE)
  expect(waits.other).toBe(0)
  expect(waits.later).toBe(0)
})

/** Reservations of one subscription under a limit that changes, with a restart before each call if it says so. */
async function reserving(
  work: (reserve: (count: number, now: number, permits: number, held?: boolean) => number[], sql: SqlStorage) => void,
  { restarts = false } = {},
) {
  const stub = env.USER_HUB.getByName(`00${crypto.randomUUID()}`)
  await runInDurableObject(stub, (_, { storage: { sql } }) => {
    let permits = 100
    const make = () => new DeliveryReservations(sql, () => ({ ...limit(), limit: permits }))
    let reservations = make()
    work((count, now, next, held = false) => {
      permits = next
      if (restarts) reservations = make()
      return reservations.reserve('sub_1', Array<boolean>(count).fill(held), now)
    }, sql)
  })
}

test.each([false, true])(
  'a raised limit holds for new attempts at once, whatever waits (restarts: %s)',
  async (restarts) => {
    await reserving(
      (reserve) => {
        const waits = reserve(500, 0, 100)
        expect([waits.filter((wait) => wait === 0).length, waits.at(-1)]).toEqual([100, 4 * MINUTE])
        expect(reserve(250, 1, 300).filter((wait) => wait === 0)).toHaveLength(200)
      },
      { restarts },
    )
  },
)

test.each([false, true])(
  'security 47: a limit that is lowered and raised again lets no more through in a minute than the higher one (restarts: %s)',
  async (restarts) => {
    await reserving(
      (reserve) => {
        const sent: number[] = []
        for (const [now, permits, held] of [
          [0, 200, false],
          [10, 5, false],
          [20, 200, false],
          [30, 1, true],
          [MINUTE - 1, 200, true],
          [MINUTE, 200, true],
          [MINUTE + 5, 200, true],
        ] as const)
          sent.push(...reserve(210, now, permits, held).flatMap((wait) => (wait === 0 ? [now] : [])))
        for (const start of sent)
          expect(sent.filter((at) => at >= start && at < start + MINUTE).length).toBeLessThanOrEqual(200)
        expect(sent.length).toBe(400)
      },
      { restarts },
    )
  },
)

test('reservations of an older version are read, and what has expired leaves the disk', async () => {
  await reserving((reserve, sql) => {
    const sent = Array.from({ length: 100 }, (_, n) => n)
    sql.exec(
      'insert into slots (subscription_id, slots, until) values (?, ?, ?)',
      'sub_1',
      JSON.stringify({ sent, booked: [...sent.slice(1), 2 * MINUTE] }),
      3 * MINUTE,
    )
    expect(reserve(1, 100, 100)).toEqual([2 * MINUTE - 100])
    const rows = () => sql.exec('select * from delivery_instants').toArray().length
    expect(rows()).toBe(200)
    expect(reserve(1, 2 * MINUTE + 200, 100)).toEqual([0])
    expect(rows()).toBeLessThanOrEqual(101)
    expect(reserve(1, 60 * MINUTE, 100)).toEqual([0])
    expect(rows()).toBeLessThanOrEqual(2)
  })
})

test('one more reservation under the highest limit writes a few rows, however many the window holds', async () => {
  const stub = env.USER_HUB.getByName(`00${crypto.randomUUID()}`)
  const [first, last] = await runInDurableObject(stub, (_, { storage: { sql } }) => {
    let written = 0
    const counting = new Proxy(sql, {
      get: (_, name) =>
        name === 'exec'
          ? (text: string, ...values: unknown[]) => {
              const cursor = sql.exec(text, ...values)
              const rows = cursor.toArray()
              written += cursor.rowsWritten
              return { toArray: () => rows, [Symbol.iterator]: () => rows[Symbol.iterator]() }
            }
          : Reflect.get(sql, name),
    })
    const reservations = new DeliveryReservations(counting, () => ({ ...limit(), limit: 60_000 }))
    const writes = (count: number, now: number) => {
      written = 0
      reservations.reserve('sub_1', Array<boolean>(count).fill(false), now)
      return written
    }
    const before = writes(1, 0)
    for (let n = 1; n < 11; n++) writes(500, n)
    return [before, writes(1, 30)]
  })
  expect(first).toBeLessThanOrEqual(8)
  expect(last).toBeLessThanOrEqual(first)
})
