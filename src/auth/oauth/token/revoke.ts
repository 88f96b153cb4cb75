import { z } from '@hono/zod-openapi'
import { and, eq, isNull } from 'drizzle-orm'
import { auditStatement } from '../../../audit/index.ts'
import type { RequestContext } from '../../../core/context.ts'
import { query } from '../../../core/database/query.ts'
import { sql } from '../../../core/database/sql.ts'
import { endpoint } from '../../../core/http/endpoint.ts'
import { OAuthError } from '../../../core/http/oauth-error.ts'
import { SAMPLE_IDS } from '../../../core/sample.ts'
import { admitClient, clientSubject, countFailure, withinLimit } from '../clients/client-limit.ts'
import { isDocument, type Client } from '../clients/client.ts'
import { denyThenCommit } from '../../credentials/deny-and-commit.ts'
import { endGrant } from '../../grants/end-grant.ts'
import { onBehalfOf } from '../../grants/on-behalf-of.ts'
import { clientParameters, MAX_FORM_BYTES, parameter } from '../parameters.ts'
import { oauth_tokens } from '../../table.ts'
import { findStoredToken, type StoredToken } from './stored-token.ts'

export const RevokeRequest = z
  .object({
    token: parameter('The access or refresh token.', 256),
    token_type_hint: parameter('Ignored: the token itself shows its type.', 64),
    ...clientParameters,
  })
  .openapi('RevokeRequest')

const revokeById = query((db, by: { id: string; now: number }) =>
  db
    .update(oauth_tokens)
    .set({ revoked_at: by.now })
    .where(and(eq(oauth_tokens.id, by.id), isNull(oauth_tokens.revoked_at))),
)

/**
 * Revokes a token of this client (RFC 7009): an access token alone, a refresh token with its whole grant.
 * An unknown or ended token is a success (§2.2); another client's is refused (§2.1).
 */
export async function revokeToken(
  ctx: RequestContext,
  client: Client,
  token: StoredToken | null,
): Promise<Record<string, never>> {
  if (!token) return {}
  if (token.clientId !== client.id) throw new OAuthError('invalid_grant', 'The token was issued to another client.')
  const user = onBehalfOf(ctx, token)
  if (token.kind === 'refresh') {
    await endGrant(user, token.grantId, 'oauth.revoke')
    return {}
  }
  const notRevoked = sql('exists (select 1 from oauth_tokens where id = :token and revoked_at is null)', {
    token: token.id,
  })
  await denyThenCommit(user, user.db, { routingId: token.routingId, ids: [token.id] }, () => [
    auditStatement(user, 'oauth.revoke', notRevoked),
    user.db.statement(revokeById, { id: token.id, now: user.now() }),
  ])
  return {}
}

export const revokeEndpoint = endpoint({
  method: 'post',
  path: '/auth/revoke',
  operationId: 'revokeToken',
  tag: 'auth',
  summary: 'Revoke a token',
  description: 'RFC 7009. Revoking a refresh token ends the whole grant, including its access tokens.',
  auth: 'client',
  errorStyle: 'oauth',
  oauthErrors: ['invalid_request', 'invalid_client', 'invalid_grant'],
  scope: null,
  limit: 'write',
  audit: null,
  body: RevokeRequest,
  bodyType: 'form',
  maxBytes: MAX_FORM_BYTES,
  reply: { 200: z.object({}) },
  example: { body: { token: 'rcr_…', client_id: SAMPLE_IDS.app, client_secret: 'rcx_…' }, reply: {} },
}).handle(async ({ ctx, body, request }) => {
  const client = await admitClient(ctx, 'oauth.revoke', request.headers.get('authorization'), body)
  if (body.token === undefined) throw new OAuthError('invalid_request', 'The token is missing.')
  const token = await findStoredToken(ctx, body.token)
  // A document's address is no secret, and without a token of its own a request shows no grant.
  if (isDocument(client) && token?.clientId !== client.id) {
    await countFailure(ctx)
    return revokeToken(ctx, client, token)
  }
  return withinLimit(ctx, 'write', clientSubject(client, token?.grantId ?? ''), () => revokeToken(ctx, client, token))
})
