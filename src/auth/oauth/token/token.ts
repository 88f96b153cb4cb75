import { z } from '@hono/zod-openapi'
import { auditRow, enqueueAuditRow } from '../../../audit/index.ts'
import type { RequestContext } from '../../../core/context.ts'
import { endpoint, Reply } from '../../../core/http/endpoint.ts'
import { OAuthError } from '../../../core/http/oauth-error.ts'
import { SAMPLE_IDS } from '../../../core/sample.ts'
import { admitClient, countFailure, clientSubject, withinLimit } from '../clients/client-limit.ts'
import type { Client } from '../clients/client.ts'
import { noteUse } from '../clients/note-use.ts'
import { onBehalfOf } from '../../grants/on-behalf-of.ts'
import type { StoredGrant } from '../../grants/stored-grant.ts'
import { ACCESS_TTL_SECONDS, type TokenAnswer } from './issue-token.ts'
import { clientParameters, MAX_FORM_BYTES, parameter, resourceParameter } from '../parameters.ts'
import { namedResource, resourceNotGranted } from '../resources.ts'
import { findCode, redeemCode } from './redeem-code.ts'
import { findRefresh, refresh } from './refresh.ts'

export const TokenRequest = z
  .object({
    grant_type: parameter('`authorization_code` or `refresh_token`.', 64),
    ...clientParameters,
    code: parameter('The authorization code.', 256),
    redirect_uri: parameter('The redirect URI from the authorization request.'),
    code_verifier: parameter('PKCE verifier (RFC 7636); required if a challenge was sent.', 256),
    refresh_token: parameter('The refresh token, with `grant_type=refresh_token`.', 256),
    scope: parameter('Narrows the scopes of a refreshed access token; cannot widen them.'),
    resource: resourceParameter,
  })
  .openapi('TokenRequest')
type TokenRequest = z.output<typeof TokenRequest>

export const TokenAnswerSchema = z
  .object({
    access_token: z.string(),
    token_type: z.literal('bearer'),
    expires_in: z.literal(ACCESS_TTL_SECONDS),
    refresh_token: z.string(),
    scope: z.string(),
  })
  .openapi('TokenAnswer')

/** The token endpoint (RFC 6749 §3.2): it checks the client, then its limit, and spends the code or token last. */
export async function token(ctx: RequestContext, authorization: string | null, form: TokenRequest): Promise<Reply> {
  const client = await admitClient(ctx, 'oauth.token', authorization, form)
  const exchange = await exchangeFor(ctx, client, form)
  // A public client has no secret: only the code or token itself shows which client it is.
  if (client.type === 'public' && exchange.grant?.clientId !== client.id) {
    await countFailure(ctx)
    return runExchange(ctx, exchange)
  }
  return withinLimit(ctx, 'oauth.token', clientSubject(client, exchange.grant?.grantId ?? ''), async () => {
    const answer = await runExchange(ctx, exchange)
    ctx.waitUntil(noteUse(ctx, client))
    return answer
  })
}

/** Audits a refusal for the user who gave the grant. The commit of a success holds its own audit row. */
async function runExchange(ctx: RequestContext, exchange: Exchange): Promise<Reply> {
  try {
    return new Reply(200, await exchange.run(), { 'Cache-Control': 'no-store', Pragma: 'no-cache' })
  } catch (error) {
    if (exchange.grant && error instanceof OAuthError) {
      const { principal, trail, db } = onBehalfOf(ctx, exchange.grant)
      const { requestId } = ctx
      const row = { principal, action: 'oauth.token', outcome: error.error, requestId, trail }
      enqueueAuditRow(ctx, db.shard, auditRow(ctx, row))
    }
    throw error
  }
}

interface Exchange {
  /** The grant of the code or refresh token; null for an unknown one. */
  grant: StoredGrant | null
  run(): Promise<TokenAnswer>
}

async function exchangeFor(ctx: RequestContext, client: Client, form: TokenRequest): Promise<Exchange> {
  const refused = (error: OAuthError): Exchange => ({ grant: null, run: () => refuse(error) })
  if (namedResource(form.resource, ctx.client.origin) === undefined) return refused(resourceNotGranted())
  switch (form.grant_type) {
    case 'authorization_code': {
      if (form.code === undefined) return refused(new OAuthError('invalid_request', 'The code is missing.'))
      const code = await findCode(ctx, form.code)
      return { grant: code, run: () => redeemCode(ctx, client, code, form) }
    }
    case 'refresh_token': {
      if (form.refresh_token === undefined)
        return refused(new OAuthError('invalid_request', 'The refresh_token is missing.'))
      const found = await findRefresh(ctx, form.refresh_token)
      return { grant: found, run: () => refresh(ctx, client, found, form) }
    }
    case undefined:
      return refused(new OAuthError('invalid_request', 'The grant_type is missing.'))
    default:
      return refused(new OAuthError('unsupported_grant_type', 'Use authorization_code or refresh_token.'))
  }
}

const refuse = async (error: OAuthError): Promise<never> => {
  throw error
}

export const tokenEndpoint = endpoint({
  method: 'post',
  path: '/auth/token',
  operationId: 'requestToken',
  tag: 'auth',
  summary: 'Exchange a code or a refresh token',
  description:
    'RFC 6749 §3.2. The application authenticates with `client_id` and `client_secret` in the form or with HTTP Basic. Refresh tokens rotate: use the new one from each answer.',
  auth: 'client',
  errorStyle: 'oauth',
  oauthErrors: [
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'invalid_scope',
    'invalid_target',
    'unsupported_grant_type',
  ],
  scope: null,
  limit: 'oauth.token',
  audit: null,
  body: TokenRequest,
  bodyType: 'form',
  maxBytes: MAX_FORM_BYTES,
  reply: { 200: TokenAnswerSchema },
  example: {
    body: {
      grant_type: 'authorization_code',
      client_id: SAMPLE_IDS.app,
      client_secret: 'rcx_…',
      code: 'rcc_…',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      redirect_uri: 'https://notes.example/callback',
    },
    reply: {
      access_token: 'rca_…',
      token_type: 'bearer',
      expires_in: ACCESS_TTL_SECONDS,
      refresh_token: 'rcr_…',
      scope: 'read:memory',
    },
  },
}).handle(({ ctx, body, request }) => token(ctx, request.headers.get('authorization'), body))
