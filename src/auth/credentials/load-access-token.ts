import type { Scope } from '../../core/context.ts'
import type { oauth_grants, oauth_tokens } from '../table.ts'
import { boundTo } from '../oauth/resources.ts'
import { credentialLoader, USER_OF_CREDENTIAL, type LoadedRow } from './credential.ts'

type AccessTokenRow = LoadedRow &
  Pick<typeof oauth_tokens.$inferSelect, 'client_id' | 'grant_id' | 'scopes'> &
  Pick<typeof oauth_grants.$inferSelect, 'resource'>

const BY_HASH = `
  select t.id, ${USER_OF_CREDENTIAL}, t.client_id, t.grant_id, t.scopes, coalesce(t.resource, g.resource) as resource,
         min(t.expires_at, coalesce(t.revoked_at, t.expires_at), coalesce(g.revoked_at, t.expires_at)) as ends_at
  from oauth_tokens t
  join oauth_grants g on g.id = t.grant_id
  join users u on u.id = t.user_id and u.deleted_at is null
  where t.token_hash = :token_hash and t.kind = 'access'`

/** An access token ends with its own time, its revocation or the one of its grant, whichever is first. */
export const loadAccessToken = credentialLoader<AccessTokenRow>(BY_HASH, (row) => ({
  kind: 'access',
  appId: row.client_id,
  grantId: row.grant_id,
  resource: boundTo(row.resource),
  scopes: JSON.parse(row.scopes) as Scope[],
}))
