import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { DeliveryReservations } from '../../src/hub/delivery-reservations.ts'
import { limitFor } from '../../src/limits/index.ts'

const limit = limitFor('events.delivery', 1)
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
