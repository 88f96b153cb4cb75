import { DurableObject } from 'cloudflare:workers'
import { systemClock } from '../../core/values/clock.ts'
import type { LimitState } from '../../core/ports.ts'
import type { LimitName } from '../../core/limits.ts'
import { RateLimiter } from '../../limits/index.ts'
import { readSettings } from '../../settings/index.ts'

/** Rate limits of subjects that are no users: addresses and OAuth clients, hashed to one of 1,024 such objects. */
export class Limiter extends DurableObject<Env> {
  readonly #limiter: RateLimiter

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#limiter = new RateLimiter(state.storage.sql, readSettings('Limiter', env).values.LIMITS_FACTOR)
  }

  /** Acquires a permit of each limit, or none. */
  acquire(
    names: readonly LimitName[],
    subject: string,
  ): { admitted: boolean; limits: LimitState[]; acquiredAt: number; retryAt: number } {
    const now = systemClock()
    const permits = names.map((name) => ({ name, subject }))
    return { acquiredAt: now, retryAt: now, ...this.#limiter.acquire(permits, now) }
  }

  release(names: readonly LimitName[], subject: string, acquiredAt: number): void {
    for (const name of names) this.#limiter.release({ name, subject }, acquiredAt)
  }
}
