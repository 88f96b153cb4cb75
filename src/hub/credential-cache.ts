import type { Credential } from '../auth/index.ts'
import type { Denial } from '../core/ports.ts'
import { BoundedMap } from '../core/values/bounded-map.ts'
import { DAY_MS } from '../core/values/durations.ts'

export type CredentialStatus =
  | { status: 'alive'; credential: Credential }
  | { status: 'revoked' | 'expired' | 'unknown' }

/** The facts that decide when a credential ends. They are small enough to travel with a socket. */
export interface CredentialFacts {
  id: string
  grantId: string | null
  expiresAt: number | null
}

export const factsOf = ({ principal, expiresAt }: Credential): CredentialFacts => {
  const { id, grantId } = principal.credential
  return { id, grantId, expiresAt }
}

type Load = (tokenHash: string) => Promise<Credential | null>

/**
 * The credentials of one user. Each is read from D1 once, single-flight, and then immutable.
 * Revocation is monotone: a denial is durable, and a credential is checked against the denials after the await of its read.
 * So a read in flight cannot bring a revoked credential back.
 */
export class CredentialCache {
  readonly #sql: SqlStorage
  /** The oldest tokens of a user with more are read from D1 again. */
  readonly #cached = new BoundedMap<string, Credential>(MAX_CACHED)
  readonly #loading = new Map<string, Promise<Credential | null>>()
  readonly #denied = new Map<string, number>()

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec('create table if not exists denied_ids (id text primary key, "from" integer not null)')
    for (const row of sql.exec<{ id: string; from: number }>('select id, "from" from denied_ids'))
      this.#denied.set(row.id, row.from)
  }

  /** The status of a token at `now()`, which is read after the await. */
  async find(tokenHash: string, load: Load, now: () => number): Promise<CredentialStatus> {
    let credential = this.#cached.get(tokenHash)
    if (!credential) {
      let loading = this.#loading.get(tokenHash)
      if (!loading) {
        loading = load(tokenHash).finally(() => this.#loading.delete(tokenHash))
        this.#loading.set(tokenHash, loading)
      }
      const loaded = await loading
      if (!loaded) return { status: 'unknown' }
      credential = loaded
      this.#cached.set(tokenHash, loaded)
    }
    const at = now()
    if (this.#deniedFrom(factsOf(credential)) <= at) return { status: 'revoked' }
    if (credential.expiresAt !== null && credential.expiresAt <= at) return { status: 'expired' }
    return { status: 'alive', credential }
  }

  deny({ ids, from }: Denial, now: number): void {
    for (const id of ids) {
      const earliest = Math.min(from ?? now, this.#denied.get(id) ?? Infinity)
      this.#denied.set(id, earliest)
      this.#sql.exec(
        'insert into denied_ids (id, "from") values (?, ?) on conflict (id) do update set "from" = excluded."from"',
        id,
        earliest,
      )
    }
  }

  /** Some ids that were denied more than a day ago. By then D1 has their end. */
  longDenied(now: number): string[] {
    const old = [...this.#denied].filter(([, from]) => from + DENIED_FOR_MS <= now)
    return old.slice(0, MAX_FORGOTTEN).map(([id]) => id)
  }

  /** Drops the denials of ids that D1 refuses too. Their credentials leave the cache, so that D1 is asked again. */
  forget(ids: ReadonlySet<string>): void {
    for (const [hash, credential] of this.#cached) {
      const { id, grantId } = credential.principal.credential
      if (ids.has(id) || (grantId !== null && ids.has(grantId))) this.#cached.delete(hash)
    }
    for (const id of ids) this.#denied.delete(id)
    this.#sql.exec('delete from denied_ids where id in (select value from json_each(?))', JSON.stringify([...ids]))
  }

  /** The instant from which a credential is refused: its expiry or the earliest denial that covers it. */
  endsAt(facts: CredentialFacts): number {
    return Math.min(facts.expiresAt ?? Infinity, this.#deniedFrom(facts))
  }

  #deniedFrom({ id, grantId }: CredentialFacts): number {
    return Math.min(...[id, grantId ?? id].map((one) => this.#denied.get(one) ?? Infinity))
  }
}

const MAX_CACHED = 1_000
const DENIED_FOR_MS = DAY_MS
const MAX_FORGOTTEN = 1_000
