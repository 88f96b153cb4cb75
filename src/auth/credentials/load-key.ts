import type { KeyPermission, Scope } from '../../core/context.ts'
import type { api_keys } from '../table.ts'
import { credentialLoader, USER_OF_CREDENTIAL, type LoadedRow } from './credential.ts'

type KeyRow = LoadedRow & Pick<typeof api_keys.$inferSelect, 'environment' | 'scopes' | 'permissions'>

const BY_HASH = `
  select k.id, ${USER_OF_CREDENTIAL}, k.environment, k.scopes, k.permissions,
         min(coalesce(k.expires_at, k.revoked_at), coalesce(k.revoked_at, k.expires_at)) as ends_at
  from api_keys k join users u on u.id = k.user_id and u.deleted_at is null
  where k.token_hash = :token_hash`

/** An API key ends with its expiry or its revocation, whichever is first; without both it does not end. */
export const loadKey = credentialLoader<KeyRow>(BY_HASH, (row) => ({
  kind: 'key',
  environment: row.environment,
  scopes: JSON.parse(row.scopes) as Scope[],
  permissions: row.permissions === null ? null : (JSON.parse(row.permissions) as KeyPermission[]),
}))
