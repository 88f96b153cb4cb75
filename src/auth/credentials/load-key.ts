import type { KeyPermission, Scope } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { toCredential, USER_OF_CREDENTIAL, type Credential, type CredentialRow } from './credential.ts'

interface KeyRow extends CredentialRow {
  environment: 'live' | 'test'
  scopes: string
  permissions: string | null
}

const BY_HASH = `
  select k.id, ${USER_OF_CREDENTIAL}, k.environment, k.scopes, k.permissions,
         min(coalesce(k.expires_at, k.revoked_at), coalesce(k.revoked_at, k.expires_at)) as ends_at
  from api_keys k join users u on u.id = k.user_id and u.deleted_at is null
  where k.token_hash = ?`

/** An API key as D1 knows it, by the hash of its secret. */
export async function loadKey(db: Database, tokenHash: string): Promise<Credential | null> {
  const row = await db.first<KeyRow>(BY_HASH, tokenHash)
  return (
    row &&
    toCredential(row, {
      kind: 'key',
      environment: row.environment,
      scopes: JSON.parse(row.scopes) as Scope[],
      permissions: row.permissions === null ? null : (JSON.parse(row.permissions) as KeyPermission[]),
    })
  )
}
