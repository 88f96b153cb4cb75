import { and, eq, gt, isNull } from 'drizzle-orm'
import { auditStatement } from '../../../audit/index.ts'
import type { AuthContext, RequestContext, Scope } from '../../../core/context.ts'
import type { Statement } from '../../../core/database/database.ts'
import { query } from '../../../core/database/query.ts'
import { exists, joined, sql } from '../../../core/database/sql.ts'
import { OAuthError } from '../../../core/http/oauth-error.ts'
import { shardOf } from '../../../core/shards.ts'
import type { Client } from '../clients/client.ts'
import { endGrant } from '../../grants/end-grant.ts'
import { onBehalfOf } from '../../grants/on-behalf-of.ts'
import { toStoredGrant, type StoredGrant, type StoredGrantRow } from '../../grants/stored-grant.ts'
import { oauth_codes, type oauth_tokens } from '../../table.ts'
import { mintToken, storeToken, tokenAnswer, type TokenAnswer } from './issue-token.ts'
import { verifierMatches } from '../pkce.ts'
import { narrowedResource, resourceNotGranted } from '../resources.ts'
import { remainingScopes } from '../scopes.ts'
import type { RowOf } from '../../../core/database/row.ts'
import { MINUTE_MS } from '../../../core/values/durations.ts'

export const CODE_TTL_MS = 5 * MINUTE_MS

/** An authorization code as it is stored, with its grant. */
export interface StoredCode extends StoredGrant {
  codeHash: string
  redirectUri: string
  challenge: string | null
  expiresAt: number
  spentAt: number | null
}

type CodeRow = StoredGrantRow &
  Pick<typeof oauth_codes.$inferSelect, 'redirect_uri' | 'code_challenge' | 'expires_at' | 'spent_at'>

/** Finds a code by its text; null for one that was never issued, or that the sweep has erased. */
export async function findCode(ctx: RequestContext, text: string | undefined): Promise<StoredCode | null> {
  const code = text === undefined ? null : await ctx.tokens.parse(text)
  if (code?.prefix !== 'rcc') return null
  const row = await ctx.database(shardOf(code.routingId)).first<CodeRow>(
    `select g.tenant_id, g.user_id, c.grant_id, c.client_id, g.scopes, g.resource, c.redirect_uri, c.code_challenge, c.expires_at,
            c.spent_at
     from oauth_codes c
     join oauth_grants g on g.id = c.grant_id
     join users u on u.id = g.user_id and u.deleted_at is null
     where c.code_hash = :code_hash`,
    { code_hash: code.hash },
  )
  if (!row) return null
  return {
    ...toStoredGrant(row, code.routingId),
    codeHash: code.hash,
    redirectUri: row.redirect_uri,
    challenge: row.code_challenge,
    expiresAt: row.expires_at,
    spentAt: row.spent_at,
  }
}

/**
 * Exchanges a code for tokens (RFC 6749 §4.1.3). One commit spends the code and stores the tokens: one of any number of
 * requests at once succeeds, and a crash loses neither. A second use ends the grant.
 */
export async function redeemCode(
  ctx: RequestContext,
  client: Client,
  code: StoredCode | null,
  form: { redirect_uri?: string | undefined; code_verifier?: string | undefined; resource?: readonly string[] },
): Promise<TokenAnswer> {
  if (!code || code.clientId !== client.id) throw invalidCode()
  const user = onBehalfOf(ctx, code)
  if (code.spentAt !== null) return replayed(user, code)
  if (code.expiresAt <= ctx.now()) throw invalidCode()
  // A client with PKCE may leave redirect_uri out (OAuth 2.1 §4.1.3); one that it sends must be the same.
  if (form.redirect_uri === undefined ? code.challenge === null : form.redirect_uri !== code.redirectUri) {
    throw new OAuthError('invalid_grant', 'redirect_uri differs from the one in the authorization request.')
  }
  const resource = narrowedResource(code.resource, form.resource, ctx.client.origin)
  if (resource === undefined) throw resourceNotGranted()
  if (!(await verifierMatches(code.challenge, form.code_verifier))) {
    await burn(user, code)
    throw new OAuthError('invalid_grant', 'The code_verifier does not match the code_challenge.')
  }
  return exchange(user, { ...code, resource }, remainingScopes(code.scopes, client))
}

/** Spends the code and issues its tokens. The refresh token keeps all scopes of the grant; each use checks those of the client. */
async function exchange(ctx: AuthContext, code: StoredCode, scopes: readonly Scope[]): Promise<TokenAnswer> {
  const [access, refresh] = await Promise.all([
    mintToken(ctx, 'rca', code.routingId),
    mintToken(ctx, 'rcr', code.routingId),
  ])
  const spentHere = sql('select 1 from oauth_codes where code_hash = :code_hash and spent_by = :request', {
    code_hash: code.codeHash,
    request: ctx.requestId,
  })
  const [[spent], [stored]] = await ctx.db.batch<
    [RowOf<typeof oauth_codes, 'grant_id'>, RowOf<typeof oauth_tokens, 'id'>, never, never, never]
  >([
    spend(ctx, code),
    storeToken(ctx, 'access', access, { ...code, scopes }, code.grantId, spentHere),
    storeToken(ctx, 'refresh', refresh, code, code.grantId, spentHere),
    ctx.db.statement(
      `update oauth_grants set activated_at = :now, last_used_at = :now where id = :grant and exists (${spentHere.sql})`,
      joined({ now: ctx.now(), grant: code.grantId }, spentHere.params),
    ),
    auditStatement(ctx, 'oauth.token', exists(spentHere)),
  ])
  if (!spent) return replayed(ctx, code)
  // The grant was revoked after the consent: the code is spent without tokens.
  if (!stored) throw invalidCode()
  return tokenAnswer(access.token, refresh.token, scopes)
}

const spendCode = query((db, by: { hash: string; request: string; now: number }) =>
  db
    .update(oauth_codes)
    .set({ spent_at: by.now, spent_by: by.request })
    .where(and(eq(oauth_codes.code_hash, by.hash), isNull(oauth_codes.spent_at), gt(oauth_codes.expires_at, by.now)))
    .returning({ grant_id: oauth_codes.grant_id }),
)

/** Spends a code, unless it is spent or expired. */
const spend = (ctx: AuthContext, { codeHash }: StoredCode): Statement =>
  ctx.db.statement(spendCode, { hash: codeHash, request: ctx.requestId, now: ctx.now() })

/** Spends the code after a wrong verifier, so that nobody who has the code alone tries again. */
async function burn(ctx: AuthContext, code: StoredCode): Promise<void> {
  await ctx.db.batch([spend(ctx, code)])
  await endGrant(ctx, code.grantId, 'oauth.code_burnt')
}

/** Refuses a second use of a code, and revokes the tokens of the first (RFC 6749 §4.1.2). */
async function replayed(ctx: AuthContext, code: StoredCode): Promise<never> {
  await endGrant(ctx, code.grantId, 'oauth.code_replay')
  throw invalidCode()
}

const invalidCode = (): OAuthError =>
  new OAuthError('invalid_grant', 'The code is unknown, expired, already used, or was issued to another client.')
