import { z } from '@hono/zod-openapi'
import { SCOPES, type RequestContext, type Scope } from '../../../core/context.ts'
import { endpoint } from '../../../core/http/endpoint.ts'
import { OAuthError } from '../../../core/http/oauth-error.ts'
import { newRoutingId } from '../../credentials/tokens.ts'
import { newClient } from './new-client.ts'
import { isRedirectUri } from '../redirect-uri.ts'
import { formatScopes, parseScopes } from '../scopes.ts'

const GRANT_TYPES = ['authorization_code', 'refresh_token']
/** Only an application that a user made may manage workspaces. */
const OPEN_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'admin:workspace')

export const RegisterRequest = z
  .object({
    redirect_uris: z.array(z.string()).max(20).optional(),
    client_name: z.string().max(120).optional(),
    token_endpoint_auth_method: z.string().optional(),
    grant_types: z.array(z.string()).optional(),
    response_types: z.array(z.string()).optional(),
    scope: z.string().max(1_000).optional(),
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

/** Registers an application without an owner (RFC 7591 §3), where the deployment allows it (contract §2). */
export async function register(
  ctx: RequestContext,
  input: RegisterRequest,
): Promise<z.infer<typeof RegistrationSchema>> {
  if (!ctx.config.openClientRegistration) {
    throw new OAuthError('access_denied', 'This service takes no open registrations: make an application instead.')
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
    refreshGraceSeconds: 30,
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
  const redirectUris = input.redirect_uris ?? []
  if (
    redirectUris.length === 0 ||
    !redirectUris.every((uri) => isRedirectUri(uri, ctx.config.allowLoopbackRedirects))
  ) {
    throw new OAuthError('invalid_redirect_uri', 'Name at least one redirect URI; each is an absolute https address.')
  }
  const authMethod = input.token_endpoint_auth_method ?? 'client_secret_basic'
  const scopes = parseScopes(input.scope)
  if (
    !['none', 'client_secret_basic', 'client_secret_post'].includes(authMethod) ||
    !(input.grant_types ?? GRANT_TYPES).every((type) => GRANT_TYPES.includes(type)) ||
    !(input.response_types ?? ['code']).every((type) => type === 'code') ||
    !scopes?.every((scope) => OPEN_SCOPES.includes(scope))
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
  tag: 'auth',
  summary: 'Register an application',
  description: 'RFC 7591. Closed unless the deployment sets `OPEN_CLIENT_REGISTRATION`.',
  auth: 'none',
  errorStyle: 'oauth',
  oauthErrors: ['invalid_request', 'invalid_redirect_uri', 'invalid_client_metadata', 'access_denied'],
  scope: null,
  limit: 'anonymous',
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
  },
}).handle(({ ctx, body }) => register(ctx, body))
