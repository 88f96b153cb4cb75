import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { ModelDown } from '../../core/embedding.ts'
import { backoffMs } from '../../core/values/backoff.ts'
import type { ItemRecord } from '../item.ts'
import { CLAIM, FAIL_ATTEMPT, POSTPONE } from './embed-sql.ts'
import { modelDownMs } from './model-call.ts'

const RETRY_BASE_MS = 10_000
const RETRY_CAP_MS = 30 * 60_000

/** Texts of `embedding_error`. */
const FAILURES = {
  refused: 'The embedding model refused this text.',
  no_model: 'The embedding model did not answer.',
  no_vectors: 'The vectors could not be stored.',
}

/** An item under a lease. */
export type Leased = Pick<
  ItemRecord,
  'row' | 'id' | 'tenant_id' | 'project_id' | 'namespace' | 'vector_version' | 'attempts'
>

export type Claimed = Leased & Pick<ItemRecord, 'text'>

/** The lease of one consumer on the items that it embeds. */
export class Lease {
  readonly id: string
  readonly #system: System
  readonly #db: Database

  constructor(system: System, db: Database) {
    this.id = system.newId('req')
    this.#system = system
    this.#db = db
  }

  /** Answers those of the items that await their embedding and that no other lease holds. */
  claim(ids: readonly string[]): Promise<Claimed[]> {
    return this.#db.write<Claimed>(CLAIM, JSON.stringify(ids), this.id, this.#system.now())
  }

  /**
   * Ends an attempt. A refused text is `failed` at once. Other items wait for their back-off, and at least until the model
   * may be asked again. A model that asks for a pause costs them no attempt.
   */
  async fail(items: readonly Leased[], failure: keyof typeof FAILURES, cause: unknown): Promise<void> {
    const system = this.#system
    const waiting = cause instanceof ModelDown
    const attempts = Math.max(...items.map((item) => item.attempts))
    const backoff = waiting ? 0 : backoffMs(attempts, RETRY_BASE_MS, RETRY_CAP_MS, (system.random(1)[0] ?? 0) / 255)
    const delayMs = Math.max(backoff, modelDownMs(system))
    const rows = await this.#db.write<Pick<ItemRecord, 'id'>>(
      FAIL_ATTEMPT,
      JSON.stringify(items.map((item) => item.id)),
      this.id,
      system.now() + delayMs,
      FAILURES[failure],
      failure === 'refused' ? 1 : 0,
      waiting ? 1 : 0,
    )
    system.log.error({ event: 'embed.failed', items: rows.length, attempts, failure, retry_in_ms: delayMs }, cause)
  }

  /** Lets items that nobody has claimed wait until the model may be asked again. */
  async postpone(ids: readonly string[]): Promise<void> {
    await this.#db.write(POSTPONE, JSON.stringify(ids), this.#system.now() + modelDownMs(this.#system))
  }
}
