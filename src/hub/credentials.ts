import type { Credential } from '../auth/index.ts'
import type { CredentialKind } from '../core/context.ts'
import type { Denial } from '../core/ports.ts'

export type Known = { status: 'alive'; credential: Credential } | { status: 'revoked' | 'expired' | 'unknown' }

/** What decides when a credential ends; small enough to travel with a socket. */
export interface CredentialFacts {
  id: string
  kind: CredentialKind
  grantId: string | null
  issuedAt: number
  expiresAt: number | null
}

export const factsOf = ({ principal, issuedAt, expiresAt }: Credential): CredentialFacts => {
  const { id, kind, grantId } = principal.credential
  return { id, kind, grantId, issuedAt, expiresAt }
}

type Load = (tokenHash: string) => Promise<Credential | null>

/**
 * The credentials of one user, kept beside the user's gate: read from D1 once, single-flight, and immutable.
 * Revocation is deny-first and monotone: a denial is durable before D1 commits it, and whatever a read returns
 * is held against the denials after the await, so that a read in flight cannot bring a revoked credential back.
 */
export class CredentialBook {
  readonly #sql: SqlStorage
  readonly #known = new Map<string, Credential>()
  readonly #loading = new Map<string, Promise<Credential | null>>()
  readonly #deniedIds = new Map<string, number>()
  #deniedKinds: { kind: string; issuedBefore: number; except: string[]; from: number }[] = []

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec('create table if not exists denied_ids (id text primary key, "from" integer not null)')
    sql.exec('create table if not exists denied_kinds (denial text not null)')
    for (const row of sql.exec<{ id: string; from: number }>('select id, "from" from denied_ids'))
      this.#deniedIds.set(row.id, row.from)
    for (const row of sql.exec<{ denial: string }>('select denial from denied_kinds'))
      this.#deniedKinds.push(JSON.parse(row.denial))
  }

  /** Whether a token is alive at `now()`, which is read again after every await. */
  async find(tokenHash: string, load: Load, now: () => number): Promise<Known> {
    let credential = this.#known.get(tokenHash)
    if (!credential) {
      let loading = this.#loading.get(tokenHash)
      if (!loading) {
        loading = load(tokenHash).finally(() => this.#loading.delete(tokenHash))
        this.#loading.set(tokenHash, loading)
      }
      const loaded = await loading
      if (!loaded) return { status: 'unknown' }
      credential = loaded
      this.#remember(tokenHash, loaded)
    }
    const at = now()
    if (this.#deniedFrom(factsOf(credential)) <= at) return { status: 'revoked' }
    if (credential.expiresAt !== null && credential.expiresAt <= at) return { status: 'expired' }
    return { status: 'alive', credential }
  }

  deny(denial: Denial, now: number): void {
    const from = denial.from ?? now
    for (const id of denial.ids ?? []) {
      const earliest = Math.min(from, this.#deniedIds.get(id) ?? from)
      this.#deniedIds.set(id, earliest)
      this.#sql.exec(
        'insert into denied_ids (id, "from") values (?, ?) on conflict (id) do update set "from" = excluded."from"',
        id,
        earliest,
      )
    }
    for (const kind of denial.kinds ?? []) {
      const entry = { kind, issuedBefore: denial.issuedBefore ?? now, except: denial.except ?? [], from }
      this.#deniedKinds.push(entry)
      this.#sql.exec('insert into denied_kinds (denial) values (?)', JSON.stringify(entry))
    }
  }

  /** The instant from which a credential is refused: its expiry, or the earliest denial that covers it. */
  endsAt(facts: CredentialFacts): number {
    return Math.min(facts.expiresAt ?? Infinity, this.#deniedFrom(facts))
  }

  #deniedFrom({ id, kind, grantId, issuedAt }: CredentialFacts): number {
    const byKind = this.#deniedKinds
      .filter((d) => d.kind === kind && issuedAt < d.issuedBefore && !d.except.includes(id))
      .map((d) => d.from)
    const byId = this.#deniedIds.get(id) ?? Infinity
    const byGrant = (grantId === null ? undefined : this.#deniedIds.get(grantId)) ?? Infinity
    return Math.min(byId, byGrant, ...byKind)
  }

  /** Bounded: a user with more live tokens than this reads the oldest ones from D1 again. */
  #remember(tokenHash: string, credential: Credential): void {
    this.#known.set(tokenHash, credential)
    if (this.#known.size <= MAX_REMEMBERED) return
    const oldest = this.#known.keys().next().value
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}

const MAX_REMEMBERED = 1_000
