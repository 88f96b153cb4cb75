import { z } from '@hono/zod-openapi'
import type { RequestContext, Scope } from '../../../core/context.ts'
import { endpoint, Reply } from '../../../core/http/endpoint.ts'
import { OAuthError } from '../../../core/http/oauth-error.ts'
import { SAMPLE_IDS } from '../../../core/sample.ts'
import { addressSubject } from '../../../limits/index.ts'
import { newRoutingId } from '../../credentials/tokens.ts'
import { withinLimit } from './client-limit.ts'
import { newClient, UNOWNED_GRACE_SECONDS } from './new-client.ts'
import { isNativeRedirectUri, isRedirectUri } from '../redirect-uri.ts'
import { formatScopes, grantableScopes, OPEN_SCOPES } from '../scopes.ts'

const GRANT_TYPES = ['authorization_code', 'refresh_token']

export const RegisterRequest = z
  .object({
    redirect_uris: z.array(z.string()).max(20).nullish(),
    client_name: z.string().max(120).nullish(),
    token_endpoint_auth_method: z.string().nullish(),
    grant_types: z.array(z.string()).nullish(),
    response_types: z.array(z.string()).nullish(),
    scope: z.string().max(1_000).nullish(),
  })
  .openapi('RegisterRequest')
type RegisterRequest = z.output<typeof RegisterRequest>

export const RegistrationSchema = z
  .object({
    client_id: z.string(),
    client_secret: z.string().optional(),
    client_secret_expires_at: z.literal(0).optional(),
    client_id_issued_at: z.number(),
    client_name: z.string(),
    redirect_uris: z.array(z.string()),
    token_endpoint_auth_method: z.string(),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    scope: z.string(),
  })
  .openapi('ClientRegistration')

/**
 * Registers an application without an owner (RFC 7591 §3), unless the deployment is closed to them (contract §2). Redirect
 * URIs, scopes and grant types that it may not have are dropped, and the answer lists the rest.
 */
export async function register(
  ctx: RequestContext,
  input: RegisterRequest,
): Promise<z.infer<typeof RegistrationSchema>> {
  if (!ctx.config.openClientRegistration) {
    throw new OAuthError(
      'access_denied',
      'Registration is closed on this service: create an application in the portal instead.',
    )
  }
  const { redirectUris, scopes, authMethod } = readMetadata(ctx, input)
  const [shard = '00'] = ctx.shards
  const db = ctx.database(shard)
  const { id, secret, statement } = await newClient(ctx, db, {
    owner: null,
    routingId: newRoutingId(shard, ctx.random),
    name: input.client_name?.trim() || 'Unnamed application',
    type: authMethod === 'none' ? 'public' : 'confidential',
    redirectUris,
    scopes,
    requirePkce: true,
    refreshGraceSeconds: UNOWNED_GRACE_SECONDS,
  })
  await db.batch([statement])
  ctx.log.info({ event: 'oauth.client_registered', client_id: id, request_id: ctx.requestId })
  return {
    client_id: id,
    ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 as const }),
    client_id_issued_at: Math.floor(ctx.now() / 1_000),
    client_name: input.client_name?.trim() || 'Unnamed application',
    redirect_uris: redirectUris,
    token_endpoint_auth_method: authMethod,
    grant_types: GRANT_TYPES,
    response_types: ['code'],
    scope: formatScopes(scopes),
  }
}

function readMetadata(
  ctx: RequestContext,
  input: RegisterRequest,
): { redirectUris: string[]; scopes: readonly Scope[]; authMethod: string } {
  const authMethod = input.token_endpoint_auth_method ?? 'client_secret_basic'
  const mayHave = (uri: string): boolean =>
    authMethod === 'none' ? isNativeRedirectUri(uri) : isRedirectUri(uri, ctx.config.allowLoopbackRedirects)
  const redirectUris = [...new Set((input.redirect_uris ?? []).filter(mayHave))]
  if (redirectUris.length === 0) {
    throw new OAuthError(
      'invalid_redirect_uri',
      'Send a redirect URI: an absolute https URL or, for a public application, a loopback URL or one with a private-use scheme.',
    )
  }
  const scopes = grantableScopes(input.scope ?? undefined, OPEN_SCOPES)
  const grantTypes = input.grant_types ?? []
  if (
    !['none', 'client_secret_basic', 'client_secret_post'].includes(authMethod) ||
    (grantTypes.length > 0 && !grantTypes.some((type) => GRANT_TYPES.includes(type))) ||
    !(input.response_types ?? ['code']).every((type) => type === 'code') ||
    scopes === null
  ) {
    throw new OAuthError(
      'invalid_client_metadata',
      'An authentication method, grant type, response type or scope is not supported.',
    )
  }
  return { redirectUris, scopes: scopes.length > 0 ? scopes : OPEN_SCOPES, authMethod }
}

export const registerEndpoint = endpoint({
  method: 'post',
  path: '/auth/register',
  operationId: 'registerApp',
  tag: 'auth',
  summary: 'Register an application',
  description: 'RFC 7591. Open unless the deployment sets `CLIENT_REGISTRATION` to `closed`.',
  auth: 'none',
  errorStyle: 'oauth',
  oauthErrors: ['invalid_request', 'invalid_redirect_uri', 'invalid_client_metadata', 'access_denied'],
  scope: null,
  limit: 'oauth.register.burst',
  audit: null,
  body: RegisterRequest,
  maxBytes: 64 * 1024,
  reply: { 201: RegistrationSchema },
  example: {
    body: {
      client_name: 'Notes',
      redirect_uris: ['https://notes.example/callback'],
      token_endpoint_auth_method: 'none',
    },
    reply: {
      client_id: SAMPLE_IDS.registeredApp,
      client_id_issued_at: 1_795_253_400,
      client_name: 'Notes',
      redirect_uris: ['https://notes.example/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: GRANT_TYPES,
      response_types: ['code'],
      scope: formatScopes(OPEN_SCOPES),
    },
  },
}).handle(({ ctx, body }) =>
  withinLimit(
    ctx,
    'oauth.register',
    addressSubject(ctx.client.ip),
    async () => new Reply(201, await register(ctx, body)),
  ),
)
