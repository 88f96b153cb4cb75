import { DurableObject } from 'cloudflare:workers'
import { systemClock } from '../core/values/clock.ts'
import type { LimitState } from '../core/ports.ts'
import { RateLimiter } from './rate-limiter.ts'
import { limitsFactor, type LimitName } from './limits.ts'

/** Rate limits of subjects that are no users: addresses and OAuth clients, hashed to one of 1,024 such objects. */
export class Limiter extends DurableObject<Env> {
  readonly #limiter: RateLimiter

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#limiter = new RateLimiter(state.storage.sql, limitsFactor(env))
  }

  acquire(
    name: LimitName,
    subject: string,
  ): { admitted: boolean; state: LimitState; acquiredAt: number; retryAt: number } {
    const now = systemClock()
    const acquisition = this.#limiter.acquire([{ name, subject }], now)
    const state = acquisition.limits[0]
    if (!state) throw new Error('a permit has a state')
    return acquisition.admitted
      ? { admitted: true, state, acquiredAt: acquisition.acquiredAt, retryAt: now }
      : { admitted: false, state, acquiredAt: now, retryAt: acquisition.retryAt }
  }

  release(name: LimitName, subject: string, acquiredAt: number): void {
    this.#limiter.release({ name, subject }, acquiredAt)
  }
}
