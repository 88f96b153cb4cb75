import type { Limit } from '../core/limits.ts'
import { MINUTE_MS } from '../core/values/durations.ts'

/** How long a receiver may take. */
const ATTEMPT_MS = 15_000
/** An attempt that has not ended by then has no consumer any more. */
const LOST_MS = 30_000
/** A tenth, and a half, of what Cloudflare sends at once: 100 consumers, each with a batch of 5 (wrangler.toml). */
const LEAST_UNDER_WAY = 50
const MOST_UNDER_WAY = 250
/** A delivery that waited this long asks again. */
const MAX_WAIT_MS = 10 * MINUTE_MS

/** The attempts of one user that may be under way: as many as a subscription makes at its limit where each takes its 15 s. */
export const maxUnderWay = ({ limit, windowMs }: Pick<Limit, 'limit' | 'windowMs'>): number =>
  Math.min(MOST_UNDER_WAY, Math.max(LEAST_UNDER_WAY, Math.floor((limit * ATTEMPT_MS) / windowMs)))

/**
 * Counts the webhook attempts of one user that are under way, so that slow receivers of one user leave connections to
 * others. Further deliveries wait in a line that moves as if every attempt took its 15 s. A restart of the hub forgets
 * what is under way.
 */
export class DeliveriesUnderWay {
  /** When those under way began, oldest first. */
  #begun: number[] = []
  /** When the last one in line may come. */
  #lineEndsAt = 0

  /** How many more may begin now. */
  free(most: number, now: number): number {
    this.#begun = this.#begun.filter((at) => at <= now && at > now - LOST_MS)
    return Math.max(0, most - this.#begun.length)
  }

  begin(count: number, now: number): void {
    this.#begun.push(...Array<number>(count).fill(now))
  }

  end(count: number): void {
    this.#begun.splice(0, count)
  }

  /** Milliseconds until one that may not begin asks again. */
  waitMs(most: number, now: number): number {
    this.#lineEndsAt = Math.min(now + MAX_WAIT_MS, Math.max(this.#lineEndsAt, now) + Math.ceil(ATTEMPT_MS / most))
    return this.#lineEndsAt - now
  }
}
