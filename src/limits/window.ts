import type { LimitState } from '../core/ports.ts'
import type { Limit } from './policy.ts'

/**
 * An exact sliding window: remembers the instant of each admission, so that within any window of that length
 * not one more than the limit is admitted (contract §6). Pure: the caller brings the time.
 */
export class SlidingWindow {
  readonly limit: Limit
  #times: number[]
  #head = 0
  /** The latest instant that was seen: a clock that steps back must not bring back what was forgotten. */
  #latest = -Infinity

  constructor(limit: Limit, times: readonly number[] = []) {
    this.limit = limit
    this.#times = [...times].sort((a, b) => a - b)
  }

  /** The instant at which a place is free: `now` or later. Changes nothing. */
  freeAt(now: number): number {
    this.#forget(now)
    const taken = this.#times.length - this.#head
    if (taken < this.limit.limit) return now
    return (this.#times[this.#times.length - this.limit.limit] ?? now) + this.limit.windowMs
  }

  /** Takes a place that `freeAt` found. A clock that stepped back is held at the latest instant. */
  acquire(now: number): number {
    const at = Math.max(now, this.#latest, this.#times.at(-1) ?? now)
    this.#times.push(at)
    return at
  }

  /** Frees the place that was taken at this instant; unknown instants are ignored. */
  release(acquiredAt: number): void {
    const index = this.#times.lastIndexOf(acquiredAt)
    if (index >= this.#head) this.#times.splice(index, 1)
  }

  get isEmpty(): boolean {
    return this.#times.length === this.#head
  }

  state(name: string, now: number): LimitState {
    this.#forget(now)
    const taken = this.#times.length - this.#head
    const oldest = this.#times[this.#head]
    return {
      policy: name,
      limit: this.limit.limit,
      windowSeconds: this.limit.windowMs / 1_000,
      remaining: Math.max(0, this.limit.limit - taken),
      resetSeconds: oldest === undefined ? 0 : Math.max(0, Math.ceil((oldest + this.limit.windowMs - now) / 1_000)),
    }
  }

  /** A place taken at t is free again at t + window, not before. */
  #forget(now: number): void {
    this.#latest = Math.max(now, this.#latest)
    while (this.#head < this.#times.length && (this.#times[this.#head] ?? now) + this.limit.windowMs <= this.#latest)
      this.#head += 1
    if (this.#head > 64 && this.#head * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#head)
      this.#head = 0
    }
  }
}
