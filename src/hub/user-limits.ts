import { consoleLog } from '../core/log.ts'
import type { Limit, LimitName } from '../core/limits.ts'
import type { DeploymentLimits } from '../core/settable-limits.ts'
import type { AccountLimits } from '../limits/index.ts'
import { limitOf } from '../limits/index.ts'
import { MINUTE_MS } from '../core/values/durations.ts'

/** A hub in use reads its limits again after this long, beside its work. */
export const REFRESH_MS = 30_000
/** Limits that were read this long ago no longer count (contract §6): a hub that was idle reads them before it admits. */
export const STALE_MS = MINUTE_MS
/** After a failed read the hub goes on with the limits that it knows, and tries again after this long. */
const RETRY_MS = 5_000

/**
 * The limits of one user, as an operator may have set them. They come with each credential that the hub reads, and are
 * read again before they are a minute old. A database that does not answer changes no limit: calls that need it fail anyway.
 */
export class UserLimits {
  readonly #read: () => Promise<AccountLimits | null>
  readonly #deployment: DeploymentLimits
  #known: AccountLimits | null = null
  /** The instant at which the read of the known limits began. */
  #readAt = -Infinity
  #failedAt = -Infinity
  #reading: Promise<void> | null = null

  constructor(read: () => Promise<AccountLimits | null>, deployment: DeploymentLimits) {
    this.#read = read
    this.#deployment = deployment
  }

  /** Takes the limits of a read that began at `readAt`. The read that began later wins. */
  learn(limits: AccountLimits, readAt: number): void {
    if (readAt < this.#readAt) return
    this.#known = limits
    this.#readAt = readAt
  }

  of(name: LimitName, keyId: string | null = null): Limit {
    return limitOf(name, this.#known?.account ?? null, this.#known?.settings ?? [], this.#deployment, keyId)
  }

  /** Reads the limits where they are old. `wait` is false where the caller may go on during the read. */
  refresh(now: number): { work: Promise<void>; wait: boolean } | null {
    const age = Math.abs(now - this.#readAt)
    if (age < REFRESH_MS || Math.abs(now - this.#failedAt) < RETRY_MS) return null
    this.#reading ??= this.#readAgain(now).finally(() => (this.#reading = null))
    return { work: this.#reading, wait: age >= STALE_MS }
  }

  async #readAgain(now: number): Promise<void> {
    try {
      const limits = await this.#read()
      if (limits) this.learn(limits, now)
      this.#failedAt = limits ? -Infinity : now
    } catch (error) {
      this.#failedAt = now
      consoleLog.error({ event: 'limits.unread' }, error)
    }
  }
}
