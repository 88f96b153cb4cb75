import { MINUTE_MS } from '../values/durations.ts'

/** Calls a minute that every tenant has, so that a failure by chance holds back nobody who asks now and then. */
export const LEAST_SHARE = 60

/** What an isolate asked in one minute. */
interface Minute {
  since: number
  /** Tenants that asked, also in vain. */
  askedBy: Set<string>
  /** Calls that were answered, by tenant and in all. */
  answered: Map<string, number>
  total: number
}

/**
 * Shares of the calls a minute that somebody else's service bears, whose bound nobody tells us. After a failure it counts
 * as busy for a minute, and each tenant that asks has the same share of the calls that it answered in the better of
 * two minutes before. A tenant alone has all of them.
 */
export class TenantShares {
  #last = minuteFrom(-Infinity)
  #now = minuteFrom(-Infinity)
  #busyUntil = -Infinity
  /** Calls that it answered in a minute before it failed. */
  #bears = 0

  /** Whether a tenant that asks now has had its share. */
  isSpent(tenant: string, now: number): boolean {
    const { askedBy, answered } = this.#minuteOf(now)
    askedBy.add(tenant)
    if (now >= this.#busyUntil) return false
    const tenants = new Set([...this.#last.askedBy, ...askedBy]).size
    return tenants > 1 && (answered.get(tenant) ?? 0) >= Math.max(LEAST_SHARE, this.#bears / tenants)
  }

  /** A call of a tenant was answered. */
  count(tenant: string, now: number): void {
    const minute = this.#minuteOf(now)
    minute.answered.set(tenant, (minute.answered.get(tenant) ?? 0) + 1)
    minute.total += 1
  }

  /** The service failed. It may bear no more. */
  fail(now: number): void {
    const { total } = this.#minuteOf(now)
    if (now >= this.#busyUntil) this.#bears = Math.max(total, this.#last.total)
    this.#busyUntil = now + MINUTE_MS
  }

  #minuteOf(now: number): Minute {
    const passed = now - this.#now.since
    // A clock that went back starts the count over too.
    if (passed < 0 || passed >= MINUTE_MS) {
      this.#last = passed >= MINUTE_MS && passed < 2 * MINUTE_MS ? this.#now : minuteFrom(now)
      this.#now = minuteFrom(now)
    }
    return this.#now
  }
}

const minuteFrom = (since: number): Minute => ({ since, askedBy: new Set(), answered: new Map(), total: 0 })
