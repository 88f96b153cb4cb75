import { countOutcome } from '../../audit/index.ts'
import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { answerOf, ModelDown } from '../../core/embedding.ts'
import { backoffMs, type Backoff } from '../../core/values/backoff.ts'
import type { ItemRecord } from '../item.ts'
import { CLAIM, FAIL_ATTEMPT, LEASE_MS, MAX_ATTEMPTS, MAX_CLAIMED_BYTES, POSTPONE, RENEW } from './embed-sql.ts'
import { removeOlderVectors } from './older-vectors.ts'
import { MINUTE_MS } from '../../core/values/durations.ts'

/** Two renewals may fail before the lease is lost. */
export const RENEW_EVERY_MS = 10_000

const RETRY_BASE_MS = 10_000
const RETRY_CAP_MS = 30 * MINUTE_MS
const RETRIES: Backoff = { firstMs: RETRY_BASE_MS, longestMs: RETRY_CAP_MS, jitter: 0.5 }

/** Texts of `embedding_error`. */
const FAILURES = {
  refused: 'The embedding model refused this text.',
  no_model: 'The embedding model did not answer.',
  no_vectors: 'The vectors could not be stored.',
}

/** An item tells what the model answered, as that says what to mend. */
const textOf = (failure: keyof typeof FAILURES, cause: unknown): string =>
  (failure === 'no_model' ? answerOf(cause) : null) ?? FAILURES[failure]

/** An item under a lease. */
export interface Leased extends Pick<
  ItemRecord,
  'row' | 'id' | 'tenant_id' | 'project_id' | 'namespace' | 'vector_version' | 'attempts'
> {
  /** As in `VectorEntry`. */
  reader: string
  /** `turnWords` of its vectors' entries. */
  turn_words: number
}

export type Claimed = Leased & Pick<ItemRecord, 'text'>

/** The lease of one consumer on the items that it embeds. */
export class Lease {
  readonly id: string
  readonly #system: System
  readonly #db: Database
  /** The items that this consumer has not settled yet, and until when it holds them. */
  readonly #heldUntil = new Map<string, number>()

  constructor(system: System, db: Database) {
    this.id = system.newId('req')
    this.#system = system
    this.#db = db
  }

  /** Renews the lease while the work goes on. So a consumer that dies loses its items soon, and a slow one keeps them. */
  async during(work: () => Promise<void>): Promise<void> {
    const renewals = setInterval(() => void this.#renew(), RENEW_EVERY_MS)
    try {
      await work()
    } finally {
      clearInterval(renewals)
    }
  }

  /**
   * Claims those of the items that await their embedding and that no other lease holds, in order, and no further than
   * their texts fill a claim. `left` are the items behind: some may still be claimed.
   */
  async claim(ids: readonly string[]): Promise<{ claimed: Claimed[]; left: string[] }> {
    const now = this.#system.now()
    const rows = await this.#db.write<Claimed & { bytes: number }>(CLAIM, {
      ids: JSON.stringify(ids),
      lease: this.id,
      now,
    })
    for (const { id } of rows) this.#heldUntil.set(id, now + LEASE_MS)
    const isFilled = rows.reduce((sum, { bytes }) => sum + bytes, 0) >= MAX_CLAIMED_BYTES
    const held = new Set(rows.map(({ id }) => id))
    // An update answers its rows in an order of its own.
    const place = new Map(ids.map((id, at) => [id, at]))
    const claimed = rows.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
    return { claimed, left: isFilled ? ids.filter((id) => !held.has(id)) : [] }
  }

  /** False where the item was changed or deleted, or another consumer may have claimed it. The answer is as of the last renewal. */
  holds({ id }: Leased): boolean {
    return (this.#heldUntil.get(id) ?? 0) > this.#system.now()
  }

  /** The items need no lease any more. */
  settle(items: readonly Leased[]): void {
    for (const { id } of items) this.#heldUntil.delete(id)
  }

  /**
   * Ends an attempt. A refused text is `failed` at once. Other items wait for their back-off, and at least until the model
   * may be asked again. A model that asks for a pause costs them no attempt. An item whose older vectors cannot be removed
   * is not `failed` yet.
   */
  async fail(items: readonly Leased[], failure: keyof typeof FAILURES, cause: unknown): Promise<void> {
    const system = this.#system
    this.settle(items)
    const waiting = cause instanceof ModelDown
    const attempts = Math.max(...items.map((item) => item.attempts))
    const backoff = waiting ? 0 : backoffMs(attempts, RETRIES, (system.random(1)[0] ?? 0) / 255)
    const delayMs = Math.max(backoff, system.embedder.down()?.retryAfterMs ?? 0)
    const isLast = (item: Leased): boolean => failure === 'refused' || item.attempts - Number(waiting) >= MAX_ATTEMPTS
    const failed = await removeOlderVectors(system, this.#db, items.filter(isLast))
    const rows = await this.#db.write<Pick<ItemRecord, 'id'>>(FAIL_ATTEMPT, {
      ids: JSON.stringify(items.map((item) => item.id)),
      lease: this.id,
      next_attempt_at: system.now() + delayMs,
      error: textOf(failure, cause),
      failed: JSON.stringify(failed.map(({ id }) => id)),
      uncounted: waiting ? 1 : 0,
    })
    countOutcome(system, { family: 'embedding', labels: [failure], events: rows.length })
    system.log.error({ event: 'embed.failed', items: rows.length, attempts, failure, retry_in_ms: delayMs }, cause)
  }

  /** Lets items that nobody has claimed wait until the model may be asked again. */
  async postpone(ids: readonly string[]): Promise<void> {
    const down = this.#system.embedder.down()
    const nextAttemptAt = this.#system.now() + (down?.retryAfterMs ?? 0)
    await this.#db.write(POSTPONE, {
      ids: JSON.stringify(ids),
      next_attempt_at: nextAttemptAt,
      error: textOf('no_model', down),
    })
  }

  async #renew(): Promise<void> {
    const ids = [...this.#heldUntil.keys()]
    if (ids.length === 0) return
    const now = this.#system.now()
    try {
      const rows = await this.#db.write<Pick<ItemRecord, 'id'>>(RENEW, {
        ids: JSON.stringify(ids),
        lease: this.id,
        now,
      })
      const renewed = new Set(rows.map(({ id }) => id))
      for (const id of ids) {
        if (!renewed.has(id)) this.#heldUntil.delete(id)
        else if (this.#heldUntil.has(id)) this.#heldUntil.set(id, now + LEASE_MS)
      }
    } catch (error) {
      this.#system.log.error({ event: 'embed.lease_not_renewed', items: ids.length }, error)
    }
  }
}
