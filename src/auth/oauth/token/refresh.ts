import { auditStatement } from '../../../audit/index.ts'
import { SCOPES, type AuthContext, type RequestContext, type Scope } from '../../../core/context.ts'
import { exists, joined, sql } from '../../../core/database/sql.ts'
import { OAuthError } from '../../../core/http/oauth-error.ts'
import { shardOf } from '../../../core/shards.ts'
import { isOwned, type Client } from '../clients/client.ts'
import { endGrant } from '../../grants/end-grant.ts'
import { onBehalfOf } from '../../grants/on-behalf-of.ts'
import { toStoredGrant, type StoredGrant, type StoredGrantRow } from '../../grants/stored-grant.ts'
import type { oauth_tokens } from '../../table.ts'
import { mintToken, storeToken, successorSource, tokenAnswer, type TokenAnswer } from './issue-token.ts'
import { narrowedResource, resourceNotGranted } from '../resources.ts'
import { grantableScopes, isSubset, parseScopes, scopeNotGranted, remainingScopes } from '../scopes.ts'
import type { RowOf } from '../../../core/database/row.ts'

/** A refresh token as it is stored. */
export interface StoredRefresh extends StoredGrant {
  id: string
  text: string
  expiresAt: number
  spentAt: number | null
  successorKey: string | null
}

type RefreshRow = StoredGrantRow &
  Pick<typeof oauth_tokens.$inferSelect, 'id' | 'expires_at' | 'spent_at' | 'successor_key'>

/** Finds a live or spent refresh token by its text; null where it or its grant is revoked. */
export async function findRefresh(ctx: RequestContext, text: string | undefined): Promise<StoredRefresh | null> {
  const token = text === undefined ? null : await ctx.tokens.parse(text)
  if (text === undefined || token?.prefix !== 'rcr') return null
  const row = await ctx.database(shardOf(token.routingId)).first<RefreshRow>(
    `select t.id, t.tenant_id, t.user_id, t.grant_id, t.client_id, t.scopes, coalesce(t.resource, g.resource) as resource,
            t.expires_at, t.spent_at, t.successor_key
     from oauth_tokens t
     join oauth_grants g on g.id = t.grant_id and g.revoked_at is null
     join users u on u.id = t.user_id and u.deleted_at is null
     where t.token_hash = :token_hash and t.kind = 'refresh' and t.revoked_at is null`,
    { token_hash: token.hash },
  )
  if (!row) return null
  return {
    ...toStoredGrant(row, token.routingId),
    id: row.id,
    text,
    expiresAt: row.expires_at,
    spentAt: row.spent_at,
    successorKey: row.successor_key,
  }
}

/**
 * Exchanges a refresh token for an access token and a successor (RFC 6749 §6), in one commit. A second use within the
 * application's grace window gets the same successor. A later one ends the grant (RFC 9700 §4.14.2).
 */
export async function refresh(
  ctx: RequestContext,
  client: Client,
  token: StoredRefresh | null,
  form: { scope?: string | undefined; resource?: readonly string[] },
): Promise<TokenAnswer> {
  if (!token || token.clientId !== client.id || token.expiresAt <= ctx.now()) throw invalidRefresh()
  const user = onBehalfOf(ctx, token)
  await refuseReuse(user, client, token)
  const resource = narrowedResource(token.resource, form.resource, ctx.client.origin)
  if (resource === undefined) throw resourceNotGranted()
  const access = { scopes: narrowScopes(token, client, form.scope), resource }
  if (token.spentAt !== null) return retry(user, token, access)
  const answer = await exchange(user, token, access)
  if (answer) return answer
  // Another request has spent or revoked the token in the meantime.
  const spent = await findRefresh(user, token.text)
  if (spent?.spentAt == null) throw invalidRefresh()
  await refuseReuse(user, client, spent)
  return retry(user, spent, access)
}

/** A token that is used again after its grace window was stolen, or its successor was: the grant ends. */
async function refuseReuse(ctx: AuthContext, client: Client, token: StoredRefresh): Promise<void> {
  if (token.spentAt === null || ctx.now() < token.spentAt + client.refreshGraceMs) return
  await endGrant(ctx, token.grantId, 'oauth.refresh_reuse')
  throw invalidRefresh()
}

/** The scopes that the request names, else all that remain of the grant. */
function narrowScopes(token: StoredRefresh, client: Client, scope: string | undefined): readonly Scope[] {
  const remaining = remainingScopes(token.scopes, client)
  // As at `/auth/authorize`: agents repeat the OpenID scopes that they asked for.
  const requested = isOwned(client) ? parseScopes(scope) : grantableScopes(scope, SCOPES)
  if (!requested || !isSubset(requested, remaining)) throw scopeNotGranted()
  return requested.length > 0 ? requested : remaining
}

/** What the new access token opens, at most that of its grant. */
type Narrowed = Pick<StoredRefresh, 'scopes' | 'resource'>

/** Spends the token and issues its successor; null where another request was first. */
async function exchange(ctx: AuthContext, token: StoredRefresh, narrowed: Narrowed): Promise<TokenAnswer | null> {
  const [key] = ctx.dataKeys
  const source = await successorSource(ctx, token.text, key.id)
  if (!source) throw new Error('the first data key is in its own ring')
  const [access, successor] = await Promise.all([
    mintToken(ctx, 'rca', token.routingId),
    mintToken(ctx, 'rcr', token.routingId, source),
  ])
  const spentHere = sql('select 1 from oauth_tokens where id = :spent and spent_by = :request', {
    spent: token.id,
    request: ctx.requestId,
  })
  const [[spent], [stored]] = await ctx.db.batch<
    [RowOf<typeof oauth_tokens, 'id'>, RowOf<typeof oauth_tokens, 'id'>, never, never, never]
  >([
    ctx.db.statement(
      `update oauth_tokens set spent_at = :now, spent_by = :request, successor_key = :successor_key
       where id = :id and spent_at is null and revoked_at is null and expires_at > :now
         and exists (select 1 from oauth_grants g where g.id = grant_id and g.revoked_at is null)
       returning id`,
      { now: ctx.now(), request: ctx.requestId, successor_key: key.id, id: token.id },
    ),
    storeToken(ctx, 'access', access, narrowed, token.grantId, spentHere),
    // The successor keeps the whole grant: a narrowed access token narrows no later one (RFC 6749 §6).
    storeToken(ctx, 'refresh', successor, token, token.grantId, spentHere),
    ctx.db.statement(
      `update oauth_grants set last_used_at = :now where id = :grant and exists (${spentHere.sql})`,
      joined({ now: ctx.now(), grant: token.grantId }, spentHere.params),
    ),
    auditStatement(ctx, 'oauth.refresh', exists(spentHere)),
  ])
  return spent && stored ? tokenAnswer(access.token, successor.token, narrowed.scopes) : null
}

/**
 * Answers a spent token within its grace window: a new access token, and the same successor as before, whichever key of
 * the ring has signed it.
 */
async function retry(ctx: AuthContext, token: StoredRefresh, narrowed: Narrowed): Promise<TokenAnswer> {
  const source = await successorSource(ctx, token.text, token.successorKey ?? '')
  // The data key has left the ring since: the user logs in again, and the grant stays.
  if (!source) throw invalidRefresh()
  const access = await mintToken(ctx, 'rca', token.routingId)
  const candidates = await ctx.tokens.mintWithEachKey('rcr', token.routingId, source)
  const live = sql(
    `select token_hash from oauth_tokens
     where token_hash in (select value from json_each(:successors)) and kind = 'refresh' and revoked_at is null`,
    { successors: JSON.stringify(candidates.map(({ hash }) => hash)) },
  )
  const [[stored], , [found]] = await ctx.db.batch<
    [RowOf<typeof oauth_tokens, 'id'>, never, RowOf<typeof oauth_tokens, 'token_hash'>]
  >([
    storeToken(ctx, 'access', access, narrowed, token.grantId, live),
    auditStatement(
      ctx,
      'oauth.refresh_retry',
      sql('exists (select 1 from oauth_tokens where id = :token)', { token: access.id }),
    ),
    ctx.db.statement(live.sql, live.params),
  ])
  const successor = candidates.find(({ hash }) => hash === found?.token_hash)
  if (!stored || !successor) throw invalidRefresh()
  return tokenAnswer(access.token, successor.token, narrowed.scopes)
}

const invalidRefresh = (): OAuthError =>
  new OAuthError('invalid_grant', 'The refresh token is unknown, expired, revoked, or was issued to another client.')
