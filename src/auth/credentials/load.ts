import type { CredentialKind, AuthContext } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { sql, type Sql } from '../../core/database/sql.ts'
import { loadKey } from './load-key.ts'
import type { LoadCredential, LoadedCredential } from './credential.ts'
import { loadAccessToken } from './load-access-token.ts'
import { loadSession } from './load-session.ts'

const LOADERS: Record<CredentialKind, LoadCredential> = { key: loadKey, session: loadSession, access: loadAccessToken }

/** Reads a credential by the hash of its token; null where it is unknown. One that has ended is answered with its end. */
export const loadCredential = (
  db: Database,
  kind: CredentialKind,
  tokenHash: string,
): Promise<LoadedCredential | null> => LOADERS[kind](db, tokenHash)

/** Of these ids of credentials and grants, those that D1 still admits. */
export async function liveCredentialIds(db: Database, ids: readonly string[], now: number): Promise<string[]> {
  const lives = (table: string, expires: string) =>
    `exists (select 1 from ${table} t where t.id = j.value and (t.revoked_at is null or t.revoked_at > :now) and ${expires})`
  const rows = await db.all<{ id: string }>(
    `select j.value as id from json_each(:ids) j
     where ${lives('sessions', 't.expires_at > :now')} or ${lives('oauth_tokens', 't.expires_at > :now')}
       or ${lives('oauth_grants', '1')} or ${lives('api_keys', 'coalesce(t.expires_at > :now, 1)')}`,
    { ids: JSON.stringify(ids), now },
  )
  return rows.map((row) => row.id)
}

const TABLES: Record<CredentialKind, string> = { key: 'api_keys', session: 'sessions', access: 'oauth_tokens' }

/**
 * The request's credential is not revoked at the commit. So no key or grant is stored after a new password has revoked
 * them all.
 */
export function credentialNotRevoked({ principal }: AuthContext): Sql {
  const { kind, id } = principal.credential
  return sql(`exists (select 1 from ${TABLES[kind]} where id = :credential_id and revoked_at is null)`, {
    credential_id: id,
  })
}
