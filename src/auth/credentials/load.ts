import type { CredentialKind, AuthContext } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { loadKey } from './load-key.ts'
import type { Credential } from './credential.ts'
import { loadAccessToken } from './load-access-token.ts'
import { loadSession } from './load-session.ts'

type Load = (db: Database, tokenHash: string) => Promise<Credential | null>

const LOADERS: Record<CredentialKind, Load> = { key: loadKey, session: loadSession, access: loadAccessToken }

/** Reads a credential by the hash of its token; null where it is unknown. Expiry and revocation are instants in the answer. */
export async function loadCredential(
  db: Database,
  kind: CredentialKind,
  tokenHash: string,
): Promise<Credential | null> {
  return LOADERS[kind](db, tokenHash)
}

/** Of these ids of credentials and grants, those that D1 would still let in. */
export async function aliveAmong(db: Database, ids: readonly string[], now: number): Promise<string[]> {
  const lives = (table: string, expires: string) =>
    `exists (select 1 from ${table} t where t.id = j.value and (t.revoked_at is null or t.revoked_at > ?2) and ${expires})`
  const rows = await db.all<{ id: string }>(
    `select j.value as id from json_each(?1) j
     where ${lives('sessions', 't.expires_at > ?2')} or ${lives('oauth_tokens', 't.expires_at > ?2')}
       or ${lives('oauth_grants', '1')} or ${lives('api_keys', 'coalesce(t.expires_at > ?2, 1)')}`,
    JSON.stringify(ids),
    now,
  )
  return rows.map((row) => row.id)
}

const TABLES: Record<CredentialKind, string> = { key: 'api_keys', session: 'sessions', access: 'oauth_tokens' }

/**
 * Whether no end has been set to the credential of this request by the time of its commit, in SQL with its value: for what
 * would outlive it, such as a key. A new password ends all that is there, so none may be committed after it.
 */
export function stillStands({ principal }: AuthContext): { sql: string; values: string[] } {
  const { kind, id } = principal.credential
  return { sql: `exists (select 1 from ${TABLES[kind]} where id = ? and revoked_at is null)`, values: [id] }
}
