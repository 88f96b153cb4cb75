import type { Limit } from '../limits/index.ts'
import { NO_RESERVATIONS, reserveDelivery, type Reservations } from './reserve-delivery.ts'

/** The JSON in `slots.slots`. Stored objects have these names. */
interface StoredReservations {
  sent: readonly number[]
  booked: readonly number[]
}

/** The reservations of deliveries, by subscription. They stand in the hub's SQLite, so that they outlive a restart (contract §6). */
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

  /** Answers for each attempt how many milliseconds it must wait; 0 is now. `held` tells which attempts hold a reservation. */
  reserve(subscriptionId: string, held: readonly boolean[], now: number): number[] {
    const stored = this.#read(subscriptionId)
    let reservations = stored ?? NO_RESERVATIONS
    const instants: number[] = []
    for (const holdsReservation of held) {
      const reservation = reserveDelivery(reservations, this.#limit, now, holdsReservation)
      instants.push(reservation.at)
      ;({ reservations } = reservation)
    }
    this.#write(subscriptionId, reservations, Math.max(now, ...instants) + this.#limit.windowMs)
    if (!stored) this.#sql.exec('delete from slots where until < ?', now)
    return instants.map((at) => at - now)
  }

  #read(subscriptionId: string): Reservations | null {
    const [row] = this.#sql.exec<{ slots: string }>('select slots from slots where subscription_id = ?', subscriptionId)
    if (!row) return null
    const { sent, booked } = JSON.parse(row.slots) as StoredReservations
    return { sent, reserved: booked }
  }

  #write(subscriptionId: string, { sent, reserved }: Reservations, until: number): void {
    const stored: StoredReservations = { sent, booked: reserved }
    this.#sql.exec(
      `insert into slots (subscription_id, slots, until) values (?, ?, ?)
       on conflict (subscription_id) do update set slots = excluded.slots, until = excluded.until`,
      subscriptionId,
      JSON.stringify(stored),
      until,
    )
  }
}
