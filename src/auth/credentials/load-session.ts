import { SCOPES } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { toCredential, USER_OF_CREDENTIAL, type Credential, type CredentialRow } from './credential.ts'

const BY_HASH = `
  select s.id, ${USER_OF_CREDENTIAL}, min(s.expires_at, coalesce(s.revoked_at, s.expires_at)) as ends_at
  from sessions s join users u on u.id = s.user_id and u.deleted_at is null
  where s.token_hash = ?`

/** A session as D1 knows it, by the hash of its token. It carries all scopes; its user's roles bound them (contract §2). */
export async function loadSession(db: Database, tokenHash: string): Promise<Credential | null> {
  const row = await db.first<CredentialRow>(BY_HASH, tokenHash)
  return row && toCredential(row, { kind: 'session', scopes: SCOPES })
}
