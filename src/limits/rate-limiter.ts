import type { LimitState } from '../core/ports.ts'
import { isDurable, limitFor, LIMITS, type Limit, type LimitName } from '../core/limits.ts'
import { SlidingWindow } from './sliding-window.ts'
import { HOUR_MS, MINUTE_MS } from '../core/values/durations.ts'

/** The limit and the subject that a permit counts against. */
export interface Permit {
  name: LimitName
  subject: string
}

export type Acquisition =
  | { admitted: true; acquiredAt: number; limits: LimitState[] }
  | { admitted: false; retryAt: number; limits: LimitState[] }

/**
 * The sliding windows of one Durable Object. All windows live in memory. Those of a minute and more also stand in the
 * object's SQLite, so that they outlive a restart (contract §6).
 */
export class RateLimiter {
  readonly #sql: SqlStorage
  readonly #limitOf: (permit: Permit) => Limit
  readonly #windows = new Map<string, SlidingWindow>()
  #sweepAt = 0

  /** `limitOf` is asked with each permit, so that a limit may change. Default: the table, times `factor`. */
  constructor(sql: SqlStorage, factor: number, limitOf = ({ name }: Permit): Limit => limitFor(name, factor)) {
    this.#sql = sql
    this.#limitOf = limitOf
    sql.exec('create table if not exists admissions (window text not null, at integer not null)')
    sql.exec('create index if not exists admissions_by_window on admissions (window, at)')
  }

  /** Acquires all permits, or none of them. A permit that is named twice is two permits of one window. */
  acquire(permits: readonly Permit[], now: number): Acquisition {
    this.#dropIdle(now)
    const windows = permits.map((permit) => this.#window(permit))
    const wanted = new Map<SlidingWindow, number>()
    for (const window of windows) wanted.set(window, (wanted.get(window) ?? 0) + 1)
    const availableAt = (window: SlidingWindow): number => window.availableAt(now, wanted.get(window))
    const retryAt = Math.max(now, ...windows.map(availableAt))
    if (retryAt > now) {
      const exceeded = new Set(windows.filter((window) => availableAt(window) > now))
      return { admitted: false, retryAt, limits: this.#states(permits, windows, now, exceeded) }
    }
    // One instant for all of them: by it a caller can release each.
    const acquiredAt = Math.max(now, ...windows.map((window) => window.next(now)))
    permits.forEach((permit, index) => {
      windows[index]?.acquire(acquiredAt)
      if (isDurable(LIMITS[permit.name])) {
        this.#sql.exec('insert into admissions (window, at) values (?, ?)', keyOf(permit), acquiredAt)
      }
    })
    return { admitted: true, acquiredAt, limits: this.#states(permits, windows, now) }
  }

  /** Releases the permit that was acquired at this instant; does nothing where there is none. */
  release(permit: Permit, acquiredAt: number): void {
    this.#window(permit).release(acquiredAt)
    this.#sql.exec(
      'delete from admissions where rowid = (select rowid from admissions where window = ? and at = ? limit 1)',
      keyOf(permit),
      acquiredAt,
    )
  }

  #window(permit: Permit): SlidingWindow {
    const key = keyOf(permit)
    const limit = this.#limitOf(permit)
    let window = this.#windows.get(key)
    if (window) window.resize(limit.limit)
    else {
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

  #states(
    permits: readonly Permit[],
    windows: SlidingWindow[],
    now: number,
    exceeded: ReadonlySet<SlidingWindow> = new Set(),
  ): LimitState[] {
    const distinct = new Map(windows.map((window, index) => [window, permits[index]?.name ?? '']))
    return [...distinct].map(([window, name]) => ({
      ...window.state(name, now),
      ...(exceeded.has(window) ? { exceeded: true } : {}),
    }))
  }

  /**
   * Once a minute: drops windows without permits, and expired permits on disk. A window in memory drops its own, by the
   * index, so that a large limit does not leave those of an hour. The others of an object that restarted go by their age.
   */
  #dropIdle(now: number): void {
    if (now < this.#sweepAt) return
    this.#sweepAt = now + MINUTE_MS
    for (const [key, window] of this.#windows) {
      window.state('', now)
      if (isDurable(window))
        this.#sql.exec('delete from admissions where window = ? and at <= ?', key, now - window.windowMs)
      if (window.isEmpty) this.#windows.delete(key)
    }
    this.#sql.exec('delete from admissions where at < ?', now - LONGEST_WINDOW_MS)
  }
}

const LONGEST_WINDOW_MS = HOUR_MS

const keyOf = (permit: Permit): string => `${permit.name} ${permit.subject}`
