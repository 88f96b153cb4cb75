import type { LimitState } from '../core/ports.ts'
import type { Limit } from '../core/limits.ts'

/**
 * An exact sliding window. It remembers the instant of each permit, so that no window of that length holds more permits
 * than the limit (contract §6). Pure: the caller brings the time, in milliseconds.
 */
export class SlidingWindow {
  #limit: Limit
  #times: number[]
  #head = 0
  /** The latest instant that was given: after a clock steps back, expired permits stay expired. */
  #latest = -Infinity

  constructor(limit: Limit, times: readonly number[] = []) {
    this.#limit = limit
    this.#times = [...times].sort((a, b) => a - b)
  }

  /** Changes the limit. Permits that are held stay, so a lower limit holds from now on. The length of the window stays. */
  resize(limit: number): void {
    if (limit !== this.#limit.limit) this.#limit = { ...this.#limit, limit }
  }

  /** The instant at which this many permits are available: `now` or later. Acquires none. */
  availableAt(now: number, permits = 1): number {
    this.#expire(now)
    const held = this.#times.length - this.#head
    const room = this.#limit.limit - permits
    if (held <= room) return now
    return (this.#times[this.#times.length - room - 1] ?? now) + this.#limit.windowMs
  }

  /** The instant of a permit that is acquired now. After a clock steps back, the latest instant counts as now. */
  next(now: number): number {
    return Math.max(now, this.#latest, this.#times.at(-1) ?? now)
  }

  /** Acquires the permit that `availableAt` found. */
  acquire(now: number): number {
    const at = this.next(now)
    this.#times.push(at)
    return at
  }

  /** Releases the permit that was acquired at this instant; does nothing where there is none. */
  release(acquiredAt: number): void {
    const index = this.#times.lastIndexOf(acquiredAt)
    if (index >= this.#head) this.#times.splice(index, 1)
  }

  get windowMs(): number {
    return this.#limit.windowMs
  }

  get isEmpty(): boolean {
    return this.#times.length === this.#head
  }

  state(name: string, now: number): LimitState {
    this.#expire(now)
    const held = this.#times.length - this.#head
    const oldest = this.#times[this.#head]
    return {
      policy: name,
      limit: this.#limit.limit,
      windowSeconds: this.#limit.windowMs / 1_000,
      remaining: Math.max(0, this.#limit.limit - held),
      resetSeconds: oldest === undefined ? 0 : Math.max(0, Math.ceil((oldest + this.#limit.windowMs - now) / 1_000)),
    }
  }

  /** A permit acquired at t expires at t + window, not before. */
  #expire(now: number): void {
    this.#latest = Math.max(now, this.#latest)
    while (this.#head < this.#times.length && (this.#times[this.#head] ?? now) + this.#limit.windowMs <= this.#latest)
      this.#head += 1
    if (this.#head > 64 && this.#head * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#head)
      this.#head = 0
    }
  }
}
