import type { Limit } from '../limits/index.ts'
import { NO_RESERVATIONS, reserve, type Reservations } from './reserve-delivery.ts'

/** The delivery hubs of one user's subscriptions, in the hub's SQLite: they outlive a restart (contract §6). */
export class DeliveryReservations {
  readonly #sql: SqlStorage
  readonly #limit: Limit

  constructor(sql: SqlStorage, limit: Limit) {
    this.#sql = sql
    this.#limit = limit
    sql.exec(
      'create table if not exists slots (subscription_id text primary key, slots text not null, until integer not null)',
    )
  }

  /** For each attempt, of which `reserved` says whether it holds one: milliseconds until it may be made, 0 is now. */
  reserve(subscriptionId: string, reserved: readonly boolean[], now: number): number[] {
    const [row] = this.#sql.exec<{ slots: string }>('select slots from slots where subscription_id = ?', subscriptionId)
    let slots = row ? (JSON.parse(row.slots) as Reservations) : NO_RESERVATIONS
    const places: number[] = []
    for (const isReserved of reserved) {
      const taken = reserve(slots, this.#limit, now, isReserved)
      places.push(taken.at)
      slots = taken.slots
    }
    this.#sql.exec(
      `insert into slots (subscription_id, slots, until) values (?, ?, ?)
       on conflict (subscription_id) do update set slots = excluded.slots, until = excluded.until`,
      subscriptionId,
      JSON.stringify(slots),
      Math.max(now, ...places) + this.#limit.windowMs,
    )
    if (!row) this.#sql.exec('delete from slots where until < ?', now)
    return places.map((at) => at - now)
  }
}
