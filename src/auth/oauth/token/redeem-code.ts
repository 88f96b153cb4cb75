import { auditStatement } from '../../../audit/index.ts'
import type { AuthContext, RequestContext, Scope } from '../../../core/context.ts'
import { OAuthError } from '../../../core/http/oauth-error.ts'
import { shardOf } from '../../credentials/tokens.ts'
import type { Client } from '../clients/client.ts'
import { endGrant } from '../../grants/end-grant.ts'
import { onBehalfOf, type Grantee } from '../../grants/on-behalf-of.ts'
import { mintToken, storeToken, tokenAnswer, type TokenAnswer } from './issue-token.ts'
import { provesPossession } from '../pkce.ts'
import { scopesLeft } from '../scopes.ts'

export const CODE_TTL_MS = 300_000

/** An authorization code as it is stored, with its grant. */
export interface StoredCode extends Grantee {
  codeHash: string
  redirectUri: string
  challenge: string | null
  expiresAt: number
  spentAt: number | null
}

interface CodeRow {
  tenant_id: string
  user_id: string
  grant_id: string
  client_id: string
  scopes: string
  redirect_uri: string
  code_challenge: string | null
  expires_at: number
  spent_at: number | null
}

/** Finds a code by its text; null for what was never issued or is swept. */
export async function findCode(ctx: RequestContext, text: string | undefined): Promise<StoredCode | null> {
  const code = text === undefined ? null : await ctx.tokens.parse(text)
  if (code?.prefix !== 'rcc') return null
  const row = await ctx.database(shardOf(code.routingId)).first<CodeRow>(
    `select g.tenant_id, g.user_id, c.grant_id, c.client_id, g.scopes, c.redirect_uri, c.code_challenge, c.expires_at,
            c.spent_at
     from oauth_codes c
     join oauth_grants g on g.id = c.grant_id
     join users u on u.id = g.user_id and u.deleted_at is null
     where c.code_hash = ?`,
    code.hash,
  )
  if (!row) return null
  return {
    codeHash: code.hash,
    tenantId: row.tenant_id,
    userId: row.user_id,
    routingId: code.routingId,
    grantId: row.grant_id,
    clientId: row.client_id,
    scopes: JSON.parse(row.scopes) as Scope[],
    redirectUri: row.redirect_uri,
    challenge: row.code_challenge,
    expiresAt: row.expires_at,
    spentAt: row.spent_at,
  }
}

/**
 * Exchanges a code (RFC 6749 §4.1.3). It works once: claiming it and storing what it buys are one commit, so that of
 * any number of tries at once one succeeds, and none is lost between the two. A second use ends the grant.
 */
export async function redeemCode(
  ctx: RequestContext,
  client: Client,
  code: StoredCode | null,
  form: { redirect_uri?: string | undefined; code_verifier?: string | undefined },
): Promise<TokenAnswer> {
  if (!code || code.clientId !== client.id) throw invalidCode()
  const user = onBehalfOf(ctx, code)
  if (code.spentAt !== null) return replayed(user, code)
  if (code.expiresAt <= ctx.now()) throw invalidCode()
  // OAuth 2.1 §4.1.3 lets a client with PKCE leave redirect_uri out; one that is sent must be the same.
  if (form.redirect_uri === undefined ? code.challenge === null : form.redirect_uri !== code.redirectUri) {
    throw new OAuthError('invalid_grant', 'redirect_uri is not the one of the authorization request.')
  }
  if (!(await provesPossession(code.challenge, form.code_verifier))) {
    await burn(user, code)
    throw new OAuthError('invalid_grant', 'The code_verifier does not answer the code_challenge.')
  }
  return claim(user, code, scopesLeft(code.scopes, client))
}

/** The refresh token keeps the whole grant, as one that follows it does; what it opens is held against the client anew. */
async function claim(ctx: AuthContext, code: StoredCode, scopes: readonly Scope[]): Promise<TokenAnswer> {
  const [access, refresh] = await Promise.all([
    mintToken(ctx, 'rca', code.routingId),
    mintToken(ctx, 'rcr', code.routingId),
  ])
  const won = {
    sql: 'select 1 from oauth_codes where code_hash = ? and spent_by = ?',
    values: [code.codeHash, ctx.requestId],
  }
  const [[claimed], [stored]] = await ctx.db.batch<[{ grant_id: string }, { id: string }, never, never, never]>([
    spend(ctx, code),
    storeToken(ctx, 'access', access, scopes, code.grantId, won),
    storeToken(ctx, 'refresh', refresh, code.scopes, code.grantId, won),
    ctx.db.statement(
      `update oauth_grants set activated_at = ?1, last_used_at = ?1 where id = ?2 and exists (${won.sql})`,
      ctx.now(),
      code.grantId,
      ...won.values,
    ),
    auditStatement(ctx, 'oauth.token', `exists (${won.sql})`, ...won.values),
  ])
  if (!claimed) return replayed(ctx, code)
  // The grant was revoked between the consent and now: the code is spent, for nothing.
  if (!stored) throw invalidCode()
  return tokenAnswer(access.token, refresh.token, scopes)
}

/** The one conditional update that spends a code. */
const spend = (ctx: AuthContext, code: StoredCode) =>
  ctx.db.statement(
    `update oauth_codes set spent_at = ?1, spent_by = ?2
     where code_hash = ?3 and spent_at is null and expires_at > ?1 returning grant_id`,
    ctx.now(),
    ctx.requestId,
    code.codeHash,
  )

/** A failed verifier spends the code: whoever holds it without the verifier shall not try again. */
async function burn(ctx: AuthContext, code: StoredCode): Promise<void> {
  await ctx.db.batch([spend(ctx, code)])
  await endGrant(ctx, code.grantId, 'oauth.code_burnt')
}

/** RFC 6749 §4.1.2: a second use is refused, and what came from the first is revoked. */
async function replayed(ctx: AuthContext, code: StoredCode): Promise<never> {
  await endGrant(ctx, code.grantId, 'oauth.code_replay')
  throw invalidCode()
}

const invalidCode = (): OAuthError =>
  new OAuthError('invalid_grant', 'The code is unknown, expired, used, or of another client.')
