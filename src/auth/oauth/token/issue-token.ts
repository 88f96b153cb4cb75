import type { AuthContext, RequestContext, Scope } from '../../../core/context.ts'
import type { Statement } from '../../../core/database/database.ts'
import { joined, type Sql } from '../../../core/database/sql.ts'
import { utf8 } from '../../../core/values/encoding.ts'
import { hmacSha256, importHmacKey } from '../../../core/values/hash.ts'
import type { Random } from '../../../core/values/ids.ts'
import { formatScopes } from '../scopes.ts'
import { DAY_MS, HOUR_SECONDS } from '../../../core/values/durations.ts'

export const ACCESS_TTL_SECONDS = HOUR_SECONDS
/** A refresh token expires after this long without use. Each use issues a new one. */
export const REFRESH_TTL_MS = 30 * DAY_MS

export interface NewToken {
  id: string
  token: string
  hash: string
}

/** The answer of the token endpoint (RFC 6749 §5.1). */
export interface TokenAnswer {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

export const tokenAnswer = (access: string, refresh: string, scopes: readonly Scope[]): TokenAnswer => ({
  access_token: access,
  token_type: 'bearer',
  expires_in: ACCESS_TTL_SECONDS,
  refresh_token: refresh,
  scope: formatScopes(scopes),
})

export async function mintToken(
  ctx: RequestContext,
  prefix: 'rca' | 'rcr',
  routingId: string,
  random: Random = ctx.random,
): Promise<NewToken> {
  const { token, hash } = await ctx.tokens.mint(prefix, routingId, random)
  return { id: ctx.newId('tok'), token, hash }
}

/**
 * The randomness of a refresh token's successor, derived from the token under a data key: a retry gets the same
 * successor, although only hashes are stored. Neither the token nor the key alone leads to it. Null for an unknown key.
 */
export async function successorSource(ctx: RequestContext, token: string, keyId: string): Promise<Random | null> {
  const key = ctx.dataKeys.find((one) => one.id === keyId)
  if (!key) return null
  const derived = await hmacSha256(await importHmacKey(key.bytes), utf8(`refresh token successor\n${token}`))
  return (bytes) => derived.slice(0, bytes)
}

/**
 * The statement that stores a token of a grant, unless the grant is revoked. `onlyIf` is a query that has a row where
 * this request has spent the code or token that it exchanges.
 */
export function storeToken(
  ctx: AuthContext,
  kind: 'access' | 'refresh',
  token: NewToken,
  { scopes, resource }: { scopes: readonly Scope[]; resource: string | null },
  grantId: string,
  onlyIf: Sql,
): Statement {
  const now = ctx.now()
  const expiresAt = kind === 'access' ? now + ACCESS_TTL_SECONDS * 1_000 : now + REFRESH_TTL_MS
  return ctx.db.statement(
    `insert into oauth_tokens (id, tenant_id, grant_id, client_id, user_id, kind, token_hash, scopes, resource, created_at,
                               expires_at)
     select :token_id, g.tenant_id, g.id, g.client_id, g.user_id, :token_kind, :token_hash, :token_scopes, :token_resource,
       :token_created_at, :token_expires_at
     from oauth_grants g where g.id = :token_grant and g.revoked_at is null and exists (${onlyIf.sql})
     returning id`,
    joined(
      {
        token_id: token.id,
        token_kind: kind,
        token_hash: token.hash,
        token_scopes: JSON.stringify(scopes),
        token_resource: resource,
        token_created_at: now,
        token_expires_at: expiresAt,
        token_grant: grantId,
      },
      onlyIf.params,
    ),
  )
}
