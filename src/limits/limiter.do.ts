import { DurableObject } from 'cloudflare:workers'
import { systemClock } from '../core/values/clock.ts'
import type { LimitState } from '../core/ports.ts'
import { RateLimiter } from './rate-limiter.ts'
import { limitsFactor, type LimitName } from './policy.ts'

/** Counts for subjects that are no users: addresses and OAuth clients, hashed to one of 1,024 such objects. */
export class Limiter extends DurableObject<Env> {
  readonly #book: RateLimiter

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#book = new RateLimiter(state.storage.sql, limitsFactor(env))
  }

  acquire(
    name: LimitName,
    subject: string,
  ): { admitted: boolean; state: LimitState; acquiredAt: number; retryAt: number } {
    const now = systemClock()
    const charged = this.#book.charge([{ name, subject }], now)
    const state = charged.limits[0]
    if (!state) throw new Error('a charge has a state')
    return charged.admitted
      ? { admitted: true, state, acquiredAt: charged.acquiredAt, retryAt: now }
      : { admitted: false, state, acquiredAt: now, retryAt: charged.retryAt }
  }

  release(name: LimitName, subject: string, acquiredAt: number): void {
    this.#book.release({ name, subject }, acquiredAt)
  }
}
