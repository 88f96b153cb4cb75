import type { Limit } from '../core/limits.ts'
import { NO_RESERVATIONS, reserveDelivery, type Reservations } from './reserve-delivery.ts'
import { MINUTE_MS } from '../core/values/durations.ts'

/** What `slots.slots` holds: the limit of the reservations, and in objects of an older version the reservations. */
interface StoredSlots {
  limit?: number
  sent?: readonly number[]
  booked?: readonly number[]
}

interface Held {
  reservations: Reservations
  /** The limit by which they were made. */
  limit: number
}

/** Instants by their number in the column `booked`: admitted (0) and reserved (1). */
const KINDS = ['sent', 'reserved'] as const

/**
 * The reservations of deliveries, by subscription. They stand in the hub's SQLite, a row an instant, so that they outlive
 * a restart (contract §6) and one more costs as much under a limit of 60,000 a minute as under one of 100.
 */
export class DeliveryReservations {
  readonly #sql: SqlStorage
  readonly #limitNow: () => Limit
  readonly #held = new Map<string, Held>()
  #sweepAt = 0

  /** `limitNow` is asked at each reservation, so that the limit may change. */
  constructor(sql: SqlStorage, limitNow: () => Limit) {
    this.#sql = sql
    this.#limitNow = limitNow
    sql.exec(
      'create table if not exists slots (subscription_id text primary key, slots text not null, until integer not null)',
    )
    sql.exec(
      'create table if not exists delivery_instants (subscription_id text not null, booked integer not null, at integer not null)',
    )
    sql.exec(
      'create index if not exists delivery_instants_by_subscription on delivery_instants (subscription_id, booked, at)',
    )
  }

  /** Answers for each attempt how many milliseconds it must wait; 0 is now. `held` tells which attempts hold a reservation. */
  reserve(subscriptionId: string, held: readonly boolean[], now: number): number[] {
    this.#dropIdle(now)
    const limit = this.#limitNow()
    let reservations = this.#find(subscriptionId, limit.limit)
    const instants: number[] = []
    for (const holdsReservation of held) {
      const reservation = reserveDelivery(reservations, limit, now, holdsReservation)
      instants.push(reservation.at)
      this.#insert(subscriptionId, reservations, reservation.reservations)
      ;({ reservations } = reservation)
    }
    this.#held.set(subscriptionId, { reservations, limit: limit.limit })
    this.#trim(subscriptionId, reservations, now - limit.windowMs)
    this.#keepUntil(
      subscriptionId,
      limit.limit,
      Math.max(now, ...instants, reservations.reserved.at(-1) ?? now) + limit.windowMs,
    )
    return instants.map((at) => at - now)
  }

  /** Forgets the reservations that a lower limit has put too far ahead, so that a raised limit holds at once. */
  #find(subscriptionId: string, limit: number): Reservations {
    const held = this.#held.get(subscriptionId) ?? this.#read(subscriptionId)
    if (held.limit >= limit) return held.reservations
    this.#sql.exec('delete from delivery_instants where subscription_id = ? and booked = 1', subscriptionId)
    return { ...held.reservations, reserved: NO_RESERVATIONS.reserved }
  }

  #read(subscriptionId: string): Held {
    const [row] = this.#sql.exec<{ slots: string }>('select slots from slots where subscription_id = ?', subscriptionId)
    if (!row) return { reservations: NO_RESERVATIONS, limit: Infinity }
    const { limit = Infinity, sent, booked } = JSON.parse(row.slots) as StoredSlots
    if (sent && booked) {
      const reservations = { sent, reserved: booked }
      this.#insert(subscriptionId, NO_RESERVATIONS, reservations)
      return { reservations, limit }
    }
    const [stored, reserved] = KINDS.map((_, kind) => this.#instants(subscriptionId, kind))
    return { reservations: { sent: stored ?? [], reserved: reserved ?? [] }, limit }
  }

  #instants(subscriptionId: string, kind: number): number[] {
    return this.#sql
      .exec<{ at: number }>(
        'select at from delivery_instants where subscription_id = ? and booked = ? order by at, rowid',
        subscriptionId,
        kind,
      )
      .toArray()
      .map(({ at }) => at)
  }

  /** Stores the new entries at the end of both lists. */
  #insert(subscriptionId: string, before: Reservations, after: Reservations): void {
    KINDS.forEach((kind, number) => {
      if (after[kind] === before[kind]) return
      const added = before[kind].length === 0 ? after[kind] : after[kind].slice(-1)
      for (const at of added)
        this.#sql.exec(
          'insert into delivery_instants (subscription_id, booked, at) values (?, ?, ?)',
          subscriptionId,
          number,
          at,
        )
    })
  }

  /** Deletes the instants that no longer count. One that is as old as the first that counts stays, and counts again. */
  #trim(subscriptionId: string, { reserved }: Reservations, expiredAt: number): void {
    const sql = 'delete from delivery_instants where subscription_id = ? and booked = ? and at '
    this.#sql.exec(`${sql} <= ?`, subscriptionId, 0, expiredAt)
    this.#sql.exec(`${sql} < ?`, subscriptionId, 1, reserved[0] ?? Infinity)
  }

  #keepUntil(subscriptionId: string, limit: number, until: number): void {
    this.#sql.exec(
      `insert into slots (subscription_id, slots, until) values (?, ?, ?)
       on conflict (subscription_id) do update set slots = excluded.slots, until = excluded.until`,
      subscriptionId,
      JSON.stringify({ limit } satisfies StoredSlots),
      until,
    )
  }

  /** Once a minute: forgets subscriptions whose last reservation is long past. */
  #dropIdle(now: number): void {
    if (now < this.#sweepAt) return
    this.#sweepAt = now + MINUTE_MS
    const idle = this.#sql
      .exec<{ subscription_id: string }>('delete from slots where until < ? returning subscription_id', now)
      .toArray()
    for (const { subscription_id } of idle) {
      this.#held.delete(subscription_id)
      this.#sql.exec('delete from delivery_instants where subscription_id = ?', subscription_id)
    }
  }
}
