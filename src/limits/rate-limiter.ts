import type { LimitState } from '../core/ports.ts'
import { isDurable, limitFor, type LimitName } from './policy.ts'
import { SlidingWindow } from './window.ts'

/** One thing to count: which limit, for whom. */
export interface Charge {
  name: LimitName
  subject: string
}

export type Charged =
  | { admitted: true; acquiredAt: number; limits: LimitState[] }
  | { admitted: false; retryAt: number; limits: LimitState[] }

/**
 * The windows of one Durable Object. Short windows live in memory; those of a minute and more also in the
 * object's SQLite, so that they outlive a restart (contract §6).
 */
export class RateLimiter {
  readonly #sql: SqlStorage
  readonly #factor: number
  readonly #windows = new Map<string, SlidingWindow>()
  #sweepAt = 0

  constructor(sql: SqlStorage, factor: number) {
    this.#sql = sql
    this.#factor = factor
    sql.exec('create table if not exists admissions (window text not null, at integer not null)')
    sql.exec('create index if not exists admissions_by_window on admissions (window, at)')
  }

  /** Takes a place in every window, or in none of them. */
  charge(charges: readonly Charge[], now: number): Charged {
    this.#forgetIdle(now)
    const windows = charges.map((charge) => this.#window(charge))
    const freeAt = Math.max(now, ...windows.map((window) => window.freeAt(now)))
    if (freeAt > now) return { admitted: false, retryAt: freeAt, limits: this.#states(charges, windows, now) }
    let acquiredAt = now
    charges.forEach((charge, index) => {
      acquiredAt = windows[index]?.acquire(now) ?? now
      if (isDurable(limitFor(charge.name, 1))) {
        this.#sql.exec('insert into admissions (window, at) values (?, ?)', keyOf(charge), acquiredAt)
      }
    })
    return { admitted: true, acquiredAt, limits: this.#states(charges, windows, now) }
  }

  release(charge: Charge, acquiredAt: number): void {
    this.#window(charge).release(acquiredAt)
    this.#sql.exec(
      'delete from admissions where rowid = (select rowid from admissions where window = ? and at = ? limit 1)',
      keyOf(charge),
      acquiredAt,
    )
  }

  #window(charge: Charge): SlidingWindow {
    const key = keyOf(charge)
    let window = this.#windows.get(key)
    if (!window) {
      const limit = limitFor(charge.name, this.#factor)
      const rows = isDurable(limit)
        ? this.#sql.exec<{ at: number }>('select at from admissions where window = ? order by at', key).toArray()
        : []
      this.#windows.set(
        key,
        (window = new SlidingWindow(
          limit,
          rows.map((row) => row.at),
        )),
      )
    }
    return window
  }

  #states(charges: readonly Charge[], windows: SlidingWindow[], now: number): LimitState[] {
    return windows.map((window, index) => window.state(charges[index]?.name ?? '', now))
  }

  /** Once a minute: drops windows that nobody uses, in memory and on disk. */
  #forgetIdle(now: number): void {
    if (now < this.#sweepAt) return
    this.#sweepAt = now + 60_000
    for (const [key, window] of this.#windows) {
      window.state('', now)
      if (window.isEmpty) this.#windows.delete(key)
    }
    this.#sql.exec('delete from admissions where at < ?', now - LONGEST_WINDOW_MS)
  }
}

const LONGEST_WINDOW_MS = 3_600_000

const keyOf = (charge: Charge): string => `${charge.name} ${charge.subject}`
