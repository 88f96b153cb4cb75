import type { Limit } from '../core/limits.ts'
import { DeliveriesUnderWay, maxUnderWay } from './deliveries-under-way.ts'
import { DeliveryReservations } from './delivery-reservations.ts'

/** When the webhook attempts of one user may begin: within the limit of their subscription, and of what is under way at once. */
export class Deliveries {
  readonly #reservations: DeliveryReservations
  readonly #underWay = new DeliveriesUnderWay()
  readonly #limitNow: () => Limit

  /** `limitNow` is asked at each reservation, so that the limit may change. */
  constructor(sql: SqlStorage, limitNow: () => Limit) {
    this.#limitNow = limitNow
    this.#reservations = new DeliveryReservations(sql, limitNow)
  }

  /** As `Hub.reserveDeliveries`. */
  reserve(subscriptionId: string, held: readonly boolean[], now: number): number[] {
    const most = maxUnderWay(this.#limitNow())
    const free = this.#underWay.free(most, now)
    const waits = free > 0 ? this.#reservations.reserve(subscriptionId, held.slice(0, free), now) : []
    this.#underWay.begin(waits.filter((waitMs) => waitMs === 0).length, now)
    return [...waits, ...held.slice(free).map(() => this.#underWay.waitMs(most, now))]
  }

  end(count: number): void {
    this.#underWay.end(count)
  }
}
