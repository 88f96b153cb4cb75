import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { DeliveryReservations } from '../../src/hub/delivery-reservations.ts'
import { limitFor } from '../../src/limits/index.ts'

const limit = limitFor('events.delivery', 1)
const MINUTE = 60_000

test('places that are asked for together are handed out as if one by one', async () => {
  const stub = env.USER_HUB.getByName(`00${crypto.randomUUID()}`)
  const [together, apart] = await runInDurableObject(stub, (_, state) => {
    const take = (subscription: string, reserved: boolean[]) =>
      new DeliveryReservations(state.storage.sql, limit).reserve(subscription, reserved, 5_000)
    const reserved = Array.from({ length: 105 }, (_, index) => index === 103)
    return [take('sub_1', reserved), reserved.flatMap((one) => take('sub_2', [one]))]
  })
  expect(together).toEqual(apart)
  expect(together?.slice(98)).toEqual([0, 0, ...Array.from({ length: 5 }, () => MINUTE)])
})

test('the places of deliveries outlive a restart of the hub, each subscription has its own', async () => {
  const stub = env.USER_HUB.getByName(`00${crypto.randomUUID()}`)
  const waits = await runInDurableObject(stub, (_, state) => {
    const take = (subscription: string, now: number) =>
      new DeliveryReservations(state.storage.sql, limit).reserve(subscription, [false], now)[0]
    const first = Array.from({ length: 101 }, () => take('sub_1', 5_000))
    return { first, other: take('sub_2', 5_000), later: take('sub_1', 5_000 + MINUTE) }
  })
  expect(waits.first.filter((wait) => wait === 0)).toHaveLength(100)
  expect(waits.first.at(-1)).toBe(MINUTE)
  expect(waits.other).toBe(0)
  expect(waits.later).toBe(0)
})
