import { z } from '@hono/zod-openapi'
import type { RequestContext } from '../../../core/context.ts'
import { endpoint } from '../../../core/http/endpoint.ts'
import { OAuthError } from '../../../core/http/oauth-error.ts'
import { SAMPLE_IDS, SAMPLE_ORIGIN } from '../../../core/sample.ts'
import { admitClient, clientSubject, withinLimit } from '../clients/client-limit.ts'
import type { Client } from '../clients/client.ts'
import { clientParameters, MAX_FORM_BYTES, parameter } from '../parameters.ts'
import { formatScopes } from '../scopes.ts'
import { findStoredToken } from './stored-token.ts'

export const IntrospectRequest = z
  .object({
    token: parameter('The access or refresh token.', 256),
    token_type_hint: parameter('Ignored: the token itself shows its type.', 64),
    ...clientParameters,
  })
  .openapi('IntrospectRequest')

export const IntrospectionSchema = z
  .object({
    active: z.boolean(),
    scope: z.string().optional(),
    client_id: z.string().optional(),
    token_type: z.literal('bearer').optional(),
    sub: z.string().optional(),
    aud: z.string().optional(),
    iss: z.string().optional(),
    iat: z.number().optional(),
    exp: z.number().optional(),
  })
  .openapi('Introspection')
type Introspection = z.infer<typeof IntrospectionSchema>

/** Describes a live token of this client (RFC 7662). Every other token is `{active: false}` (§2.2). */
export async function introspect(
  ctx: RequestContext,
  client: Client,
  text: string | undefined,
): Promise<Introspection> {
  if (client.type === 'public') throw new OAuthError('invalid_client', 'A public client cannot introspect.')
  if (text === undefined) throw new OAuthError('invalid_request', 'The token is missing.')
  const token = await findStoredToken(ctx, text)
  if (!token?.active || token.clientId !== client.id) return { active: false }
  return {
    active: true,
    scope: formatScopes(token.scopes),
    client_id: token.clientId,
    ...(token.kind === 'access' ? { token_type: 'bearer' } : {}),
    sub: token.userId,
    aud: token.resource ?? ctx.client.origin,
    iss: ctx.client.origin,
    iat: Math.floor(token.createdAt / 1_000),
    exp: Math.floor(token.expiresAt / 1_000),
  }
}

export const introspectEndpoint = endpoint({
  method: 'post',
  path: '/auth/introspect',
  operationId: 'introspectToken',
  tag: 'auth',
  summary: 'Introspect a token',
  description: 'RFC 7662, for confidential applications and their own tokens.',
  auth: 'client',
  errorStyle: 'oauth',
  oauthErrors: ['invalid_request', 'invalid_client'],
  scope: null,
  limit: 'read',
  audit: null,
  body: IntrospectRequest,
  bodyType: 'form',
  maxBytes: MAX_FORM_BYTES,
  reply: { 200: IntrospectionSchema },
  example: {
    body: { token: 'rca_…', client_id: SAMPLE_IDS.app, client_secret: 'rcx_…' },
    reply: {
      active: true,
      scope: 'read:memory',
      client_id: SAMPLE_IDS.app,
      token_type: 'bearer',
      sub: SAMPLE_IDS.ada,
      aud: SAMPLE_ORIGIN,
      iss: SAMPLE_ORIGIN,
      iat: 1_795_253_400,
      exp: 1_795_257_000,
    },
  },
}).handle(async ({ ctx, body, request }) => {
  const client = await admitClient(ctx, 'oauth.introspect', request.headers.get('authorization'), body)
  return withinLimit(ctx, 'read', clientSubject(client, ''), () => introspect(ctx, client, body.token))
})
