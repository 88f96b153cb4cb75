import { DurableObject } from 'cloudflare:workers'
import { loadCredential } from '../auth/index.ts'
import { systemClock } from '../core/clock.ts'
import { Database } from '../core/db.ts'
import type { AdmitReply, AdmitRequest, Denial, Hub } from '../core/ports.ts'
import { LimitBook, type Charge, type LimitName } from '../limits/index.ts'
import { CredentialBook } from './credentials.ts'

/** A user's gate: credentials and limits (architecture §3). Named by the user's routing id. Thin: the books decide. */
export class UserHub extends DurableObject<Env> implements Hub {
  readonly #credentials: CredentialBook
  readonly #limits: LimitBook
  readonly #db: Database

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#credentials = new CredentialBook(state.storage.sql)
    this.#limits = new LimitBook(state.storage.sql, Number(env.LIMITS_FACTOR ?? 1))
    this.#db = new Database(env.DB)
  }

  async admit(request: AdmitRequest): Promise<AdmitReply> {
    const found = await this.#credentials.find(
      request.tokenHash,
      (hash) => loadCredential(this.#db, request.kind, hash),
      systemClock,
    )
    if (found.status !== 'alive') return { outcome: 'refused', reason: found.status }
    const { principal } = found.credential
    // A token carries its owner's routing id; one that leads to another user's hub was not made by us.
    if (principal.routingId !== this.ctx.id.name) return { outcome: 'refused', reason: 'unknown' }
    const charges = request.charge.map((name): Charge => ({ name: name as LimitName, subject: OWNER }))
    if (principal.credential.kind === 'key') charges.unshift({ name: 'api-key', subject: principal.credential.id })
    const charged = this.#limits.charge(charges, systemClock())
    return charged.admitted
      ? { outcome: 'admitted', principal, limits: charged.limits, takenAt: charged.takenAt }
      : { outcome: 'limited', principal, limits: charged.limits, retryAt: charged.retryAt }
  }

  async deny(denial: Denial): Promise<void> {
    this.#credentials.deny(denial, systemClock())
    await this.ctx.storage.sync()
  }

  async giveBack(policy: string, takenAt: number): Promise<void> {
    this.#limits.giveBack({ name: policy as LimitName, subject: OWNER }, takenAt)
  }
}

/** The subject of the limits per user: a hub has one user. */
const OWNER = 'user'
