import { auditStatement } from '../../audit/index.ts'
import type { Ctx } from '../../core/context.ts'
import type { AuthorizeRequest } from './authorize-request.ts'
import { CODE_TTL_MS } from './redeem.ts'

/** The code of an approval: a new grant, which its redemption activates, in one commit with the audit of the consent. */
export async function issueCode(ctx: Ctx, request: AuthorizeRequest): Promise<string> {
  const { principal } = ctx
  const grantId = ctx.newId('grt')
  const { token, hash } = await ctx.tokens.mint('rcc', principal.routingId, ctx.random)
  const now = ctx.now()
  ctx.trail.resourceIds = [grantId, request.client.id]
  await ctx.db.batch([
    ctx.db.statement(
      `insert into oauth_grants (id, tenant_id, user_id, client_id, client_name, scopes, resource, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      grantId,
      principal.tenantId,
      principal.userId,
      request.client.id,
      request.client.name,
      JSON.stringify(request.scopes),
      request.resource,
      now,
    ),
    ctx.db.statement(
      `insert into oauth_codes (code_hash, tenant_id, grant_id, client_id, redirect_uri, code_challenge, created_at, expires_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      hash,
      principal.tenantId,
      grantId,
      request.client.id,
      request.redirectUri,
      request.challenge,
      now,
      now + CODE_TTL_MS,
    ),
    auditStatement(ctx, 'oauth.consent'),
  ])
  return token
}
