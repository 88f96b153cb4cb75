import { DurableObject } from 'cloudflare:workers'
import { systemClock } from '../core/values/clock.ts'
import type { LimitState } from '../core/ports.ts'
import { LimitBook } from './permits.ts'
import { limitsFactor, type LimitName } from './policy.ts'

/** Counts for subjects that are no users: addresses and OAuth clients, hashed to one of 1,024 such objects. */
export class Limiter extends DurableObject<Env> {
  readonly #book: LimitBook

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#book = new LimitBook(state.storage.sql, limitsFactor(env))
  }

  take(name: LimitName, subject: string): { admitted: boolean; state: LimitState; takenAt: number; retryAt: number } {
    const now = systemClock()
    const charged = this.#book.charge([{ name, subject }], now)
    const state = charged.limits[0]
    if (!state) throw new Error('a charge has a state')
    return charged.admitted
      ? { admitted: true, state, takenAt: charged.takenAt, retryAt: now }
      : { admitted: false, state, takenAt: now, retryAt: charged.retryAt }
  }

  giveBack(name: LimitName, subject: string, takenAt: number): void {
    this.#book.giveBack({ name, subject }, takenAt)
  }
}
