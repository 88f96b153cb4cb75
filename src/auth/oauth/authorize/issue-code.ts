import { auditStatement } from '../../../audit/index.ts'
import type { AuthContext } from '../../../core/context.ts'
import { brokeForeignKey } from '../../../core/database/database.ts'
import { AppError } from '../../../core/errors.ts'
import { stillStands } from '../../credentials/load.ts'
import type { AuthorizeRequest } from './authorization-request.ts'
import { CODE_TTL_MS } from '../token/redeem-code.ts'

/**
 * The code of an approval: a new grant, which its redemption activates, in one commit with the audit of the consent.
 * A session that has ended makes no grant; its code then breaks its foreign key, and with it the whole batch: 403.
 */
export async function issueCode(ctx: AuthContext, request: AuthorizeRequest): Promise<string> {
  const { principal } = ctx
  const grantId = ctx.newId('grt')
  const { token, hash } = await ctx.tokens.mint('rcc', principal.routingId, ctx.random)
  const now = ctx.now()
  const stands = stillStands(ctx)
  ctx.trail.resourceIds = [grantId, request.client.id]
  const statements = [
    ctx.db.statement(
      `insert into oauth_grants (id, tenant_id, user_id, client_id, client_name, scopes, resource, created_at)
       select ?, ?, ?, ?, ?, ?, ?, ? where ${stands.sql}`,
      grantId,
      principal.tenantId,
      principal.userId,
      request.client.id,
      request.client.name,
      JSON.stringify(request.scopes),
      request.resource,
      now,
      ...stands.values,
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
  ]
  try {
    await ctx.db.batch(statements)
  } catch (error) {
    throw brokeForeignKey(error) ? sessionEnded() : error
  }
  return token
}

export const sessionEnded = (): AppError =>
  new AppError('forbidden', { detail: 'Your session has ended. Go back to the application and start again.' })
