import type { Scope } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { toCredential, USER_OF_CREDENTIAL, type Credential, type CredentialRow } from './credential.ts'

interface AccessRow extends CredentialRow {
  client_id: string
  grant_id: string
  scopes: string
}

const BY_HASH = `
  select t.id, ${USER_OF_CREDENTIAL}, t.client_id, t.grant_id, t.scopes,
         min(t.expires_at, coalesce(t.revoked_at, t.expires_at), coalesce(g.revoked_at, t.expires_at)) as ends_at
  from oauth_tokens t
  join oauth_grants g on g.id = t.grant_id
  join users u on u.id = t.user_id and u.deleted_at is null
  where t.token_hash = ? and t.kind = 'access'`

/** An access token by its hash; it ends with its own time, its revocation or its grant's, whichever is first. */
export async function loadAccessToken(db: Database, tokenHash: string): Promise<Credential | null> {
  const row = await db.first<AccessRow>(BY_HASH, tokenHash)
  return (
    row &&
    toCredential(row, {
      kind: 'access',
      appId: row.client_id,
      grantId: row.grant_id,
      scopes: JSON.parse(row.scopes) as Scope[],
    })
  )
}
