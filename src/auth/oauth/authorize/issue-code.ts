import { auditStatement } from '../../../audit/index.ts'
import type { AuthContext } from '../../../core/context.ts'
import { brokeForeignKey } from '../../../core/database/d1-errors.ts'
import { query, wholeRow } from '../../../core/database/query.ts'
import { joined } from '../../../core/database/sql.ts'
import { AppError } from '../../../core/errors.ts'
import { credentialNotRevoked } from '../../credentials/load.ts'
import { copyStatements, reportConsent } from '../clients/keep-copy.ts'
import { oauth_codes } from '../../table.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { CODE_TTL_MS } from '../token/redeem-code.ts'

const insertCode = query((db, row: typeof oauth_codes.$inferSelect) =>
  db.insert(oauth_codes).values(wholeRow(oauth_codes, row)),
)

/**
 * Stores a new grant and its code, with the audit of the consent. The redemption of the code activates the grant.
 * An ended session stores no grant: the code then violates its foreign key, which fails the whole batch: 403.
 */
export async function issueCode(ctx: AuthContext, request: AuthorizationRequest): Promise<string> {
  const { principal } = ctx
  const grantId = ctx.newId('grt')
  const { token, hash } = await ctx.tokens.mint('rcc', principal.routingId, ctx.random)
  const now = ctx.now()
  const notRevoked = credentialNotRevoked(ctx)
  ctx.trail.resourceIds = [grantId, request.client.id]
  const statements = [
    ctx.db.statement(
      `insert into oauth_grants (id, tenant_id, user_id, client_id, client_name, scopes, resource, created_at)
       select :id, :tenant, :caller, :client, :client_name, :scopes, :resource, :now where ${notRevoked.sql}`,
      joined(
        {
          id: grantId,
          tenant: principal.tenantId,
          caller: principal.userId,
          client: request.client.id,
          client_name: request.client.name,
          scopes: JSON.stringify(request.scopes),
          resource: request.resource,
          now,
        },
        notRevoked.params,
      ),
    ),
    ctx.db.statement(insertCode, {
      code_hash: hash,
      tenant_id: principal.tenantId,
      grant_id: grantId,
      client_id: request.client.id,
      redirect_uri: request.redirectUri,
      code_challenge: request.challenge,
      created_at: now,
      expires_at: now + CODE_TTL_MS,
      spent_at: null,
      spent_by: null,
    }),
    ...copyStatements(ctx, request.client),
    auditStatement(ctx, 'oauth.consent'),
  ]
  try {
    await ctx.db.batch(statements)
  } catch (error) {
    throw brokeForeignKey(error) ? sessionEnded() : error
  }
  await reportConsent(ctx, request.client)
  return token
}

export const sessionEnded = (): AppError =>
  new AppError('forbidden', { detail: 'Your session has ended. Go back to the application and start again.' })
