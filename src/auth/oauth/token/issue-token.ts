import type { AuthContext, RequestContext, Scope } from '../../../core/context.ts'
import type { Statement } from '../../../core/database/database.ts'
import { utf8 } from '../../../core/values/encoding.ts'
import { hmacSha256, importHmacKey } from '../../../core/values/hash.ts'
import type { Random } from '../../../core/values/ids.ts'
import { formatScopes } from '../scopes.ts'

export const ACCESS_TTL_SECONDS = 3_600
/** A refresh token that nobody uses for this long is gone; each use starts a new one. */
export const REFRESH_TTL_MS = 30 * 24 * 3_600_000

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
 * The source of a refresh token's successor: derived from the token itself under a data key, so that the same retry
 * gets the same successor although only hashes are stored. Neither the token nor the key alone leads to it.
 */
export async function successorOf(ctx: RequestContext, token: string, keyId: string): Promise<Random | null> {
  const key = ctx.dataKeys.find((one) => one.id === keyId)
  if (!key) return null
  const derived = await hmacSha256(await importHmacKey(key.bytes), utf8(`refresh token successor\n${token}`))
  return (bytes) => derived.slice(0, bytes)
}

/**
 * Stores a token of a grant, on one condition: `claimed`, SQL over its grant `g`, that this very request has won what
 * it redeems. Losers and revoked grants store nothing.
 */
export function storeToken(
  ctx: AuthContext,
  kind: 'access' | 'refresh',
  token: NewToken,
  scopes: readonly Scope[],
  grantId: string,
  claimed: { sql: string; values: (string | number)[] },
): Statement {
  const now = ctx.now()
  const expiresAt = kind === 'access' ? now + ACCESS_TTL_SECONDS * 1_000 : now + REFRESH_TTL_MS
  return ctx.db.statement(
    `insert into oauth_tokens (id, tenant_id, grant_id, client_id, user_id, kind, token_hash, scopes, created_at, expires_at)
     select ?, g.tenant_id, g.id, g.client_id, g.user_id, ?, ?, ?, ?, ?
     from oauth_grants g where g.id = ? and g.revoked_at is null and exists (${claimed.sql})
     returning id`,
    token.id,
    kind,
    token.hash,
    JSON.stringify(scopes),
    now,
    expiresAt,
    grantId,
    ...claimed.values,
  )
}
