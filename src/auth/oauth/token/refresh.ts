import { auditStatement } from '../../../audit/index.ts'
import type { AuthContext, RequestContext, Scope } from '../../../core/context.ts'
import { OAuthError } from '../../../core/http/oauth-error.ts'
import { shardOf } from '../../credentials/tokens.ts'
import type { Client } from '../clients/client.ts'
import { endGrant } from '../../grants/end-grant.ts'
import { onBehalfOf, type Grantee } from '../../grants/on-behalf-of.ts'
import { mintToken, storeToken, successorOf, tokenAnswer, type TokenAnswer } from './issue-token.ts'
import { isWithin, parseScopes, scopeNotGranted, scopesLeft } from '../scopes.ts'

/** A refresh token as it is stored. */
export interface StoredRefresh extends Grantee {
  id: string
  text: string
  hash: string
  expiresAt: number
  spentAt: number | null
  successorKey: string | null
}

interface RefreshRow {
  id: string
  tenant_id: string
  user_id: string
  grant_id: string
  client_id: string
  scopes: string
  expires_at: number
  spent_at: number | null
  successor_key: string | null
}

/** Finds a live or spent refresh token by its text; null where it or its grant is revoked. */
export async function findRefresh(ctx: RequestContext, text: string | undefined): Promise<StoredRefresh | null> {
  const token = text === undefined ? null : await ctx.tokens.parse(text)
  if (text === undefined || token?.prefix !== 'rcr') return null
  const row = await ctx.database(shardOf(token.routingId)).first<RefreshRow>(
    `select t.id, t.tenant_id, t.user_id, t.grant_id, t.client_id, t.scopes, t.expires_at, t.spent_at, t.successor_key
     from oauth_tokens t
     join oauth_grants g on g.id = t.grant_id and g.revoked_at is null
     join users u on u.id = t.user_id and u.deleted_at is null
     where t.token_hash = ? and t.kind = 'refresh' and t.revoked_at is null`,
    token.hash,
  )
  if (!row) return null
  return {
    id: row.id,
    text,
    hash: token.hash,
    tenantId: row.tenant_id,
    userId: row.user_id,
    routingId: token.routingId,
    grantId: row.grant_id,
    clientId: row.client_id,
    scopes: JSON.parse(row.scopes) as Scope[],
    expiresAt: row.expires_at,
    spentAt: row.spent_at,
    successorKey: row.successor_key,
  }
}

/**
 * Exchanges a refresh token (RFC 6749 §6) for an access token and its successor, in one commit with the claim.
 * A retry within the application's grace window gets the same successor; a later one ends the grant (RFC 9700 §4.14.2).
 */
export async function refresh(
  ctx: RequestContext,
  client: Client,
  token: StoredRefresh | null,
  form: { scope?: string | undefined },
): Promise<TokenAnswer> {
  if (!token || token.clientId !== client.id || token.expiresAt <= ctx.now()) throw invalidRefresh()
  const user = onBehalfOf(ctx, token)
  await refuseReuse(user, client, token)
  const scopes = narrowed(token, client, form.scope)
  if (token.spentAt !== null) return retry(user, token, scopes)
  const answer = await claim(user, token, scopes)
  if (answer) return answer
  // Another request spent it, or revoked it, while this one was on its way: look again.
  const spent = await findRefresh(user, token.text)
  if (spent?.spentAt == null) throw invalidRefresh()
  await refuseReuse(user, client, spent)
  return retry(user, spent, scopes)
}

/** A spent token after its grace window: somebody else has it, or its successor, so the grant ends. */
async function refuseReuse(ctx: AuthContext, client: Client, token: StoredRefresh): Promise<void> {
  if (token.spentAt === null || ctx.now() < token.spentAt + client.refreshGraceMs) return
  await endGrant(ctx, token.grantId, 'oauth.refresh_reuse')
  throw invalidRefresh()
}

/** What is asked for, or all that is left of the grant. */
function narrowed(token: StoredRefresh, client: Client, asked: string | undefined): readonly Scope[] {
  const left = scopesLeft(token.scopes, client)
  const wanted = parseScopes(asked)
  if (!wanted || !isWithin(wanted, left)) throw scopeNotGranted()
  return wanted.length > 0 ? wanted : left
}

/** Claims the token and issues in its place; null where another request was first. */
async function claim(ctx: AuthContext, token: StoredRefresh, scopes: readonly Scope[]): Promise<TokenAnswer | null> {
  const [key] = ctx.dataKeys
  const source = await successorOf(ctx, token.text, key.id)
  if (!source) throw new Error('the first data key is in its own ring')
  const [access, successor] = await Promise.all([
    mintToken(ctx, 'rca', token.routingId),
    mintToken(ctx, 'rcr', token.routingId, source),
  ])
  const won = { sql: 'select 1 from oauth_tokens where id = ? and spent_by = ?', values: [token.id, ctx.requestId] }
  const [[claimed], [stored]] = await ctx.db.batch<[{ id: string }, { id: string }, never, never, never]>([
    ctx.db.statement(
      `update oauth_tokens set spent_at = ?1, spent_by = ?2, successor_key = ?3
       where id = ?4 and spent_at is null and revoked_at is null and expires_at > ?1
         and exists (select 1 from oauth_grants g where g.id = grant_id and g.revoked_at is null)
       returning id`,
      ctx.now(),
      ctx.requestId,
      key.id,
      token.id,
    ),
    storeToken(ctx, 'access', access, scopes, token.grantId, won),
    // The successor keeps the whole grant: a narrowed access token narrows no later one (RFC 6749 §6).
    storeToken(ctx, 'refresh', successor, token.scopes, token.grantId, won),
    ctx.db.statement(
      `update oauth_grants set last_used_at = ? where id = ? and exists (${won.sql})`,
      ctx.now(),
      token.grantId,
      ...won.values,
    ),
    auditStatement(ctx, 'oauth.refresh', `exists (${won.sql})`, ...won.values),
  ])
  return claimed && stored ? tokenAnswer(access.token, successor.token, scopes) : null
}

/**
 * A spent token again within the grace window: a fresh access token, and the successor that was lost on the way, whichever
 * key of the ring has signed it.
 */
async function retry(ctx: AuthContext, token: StoredRefresh, scopes: readonly Scope[]): Promise<TokenAnswer> {
  const source = await successorOf(ctx, token.text, token.successorKey ?? '')
  // The data key left the ring within the window: the client logs in again, and nobody is accused.
  if (!source) throw invalidRefresh()
  const access = await mintToken(ctx, 'rca', token.routingId)
  const candidates = await ctx.tokens.mintWithEachKey('rcr', token.routingId, source)
  const alive = {
    sql: `select token_hash from oauth_tokens
          where token_hash in (select value from json_each(?)) and kind = 'refresh' and revoked_at is null`,
    values: [JSON.stringify(candidates.map(({ hash }) => hash))],
  }
  const [[stored], , [found]] = await ctx.db.batch<[{ id: string }, never, { token_hash: string }]>([
    storeToken(ctx, 'access', access, scopes, token.grantId, alive),
    auditStatement(ctx, 'oauth.refresh_retry', 'exists (select 1 from oauth_tokens where id = ?)', access.id),
    ctx.db.statement(alive.sql, ...alive.values),
  ])
  const successor = candidates.find(({ hash }) => hash === found?.token_hash)
  if (!stored || !successor) throw invalidRefresh()
  return tokenAnswer(access.token, successor.token, scopes)
}

const invalidRefresh = (): OAuthError =>
  new OAuthError('invalid_grant', 'The refresh token is unknown, expired, revoked, or of another client.')
