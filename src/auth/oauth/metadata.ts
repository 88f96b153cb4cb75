import { z } from '@hono/zod-openapi'
import { SCOPES, type RequestContext } from '../../core/context.ts'
import { endpoint, type Endpoint } from '../../core/http/endpoint.ts'

const list = z.array(z.string())

export const ServerMetadataSchema = z
  .object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    revocation_endpoint: z.string(),
    introspection_endpoint: z.string(),
    registration_endpoint: z.string().optional(),
    scopes_supported: list,
    response_types_supported: list,
    response_modes_supported: list,
    grant_types_supported: list,
    token_endpoint_auth_methods_supported: list,
    revocation_endpoint_auth_methods_supported: list,
    introspection_endpoint_auth_methods_supported: list,
    code_challenge_methods_supported: list,
    authorization_response_iss_parameter_supported: z.boolean(),
    service_documentation: z.string(),
  })
  .openapi('AuthorizationServerMetadata')

/** The metadata of the authorization server (RFC 8414 §2). */
export function serverMetadata(ctx: RequestContext): z.infer<typeof ServerMetadataSchema> {
  const base = ctx.client.origin
  return {
    issuer: base,
    authorization_endpoint: `${base}/auth/authorize`,
    token_endpoint: `${base}/auth/token`,
    revocation_endpoint: `${base}/auth/revoke`,
    introspection_endpoint: `${base}/auth/introspect`,
    ...(ctx.config.openClientRegistration ? { registration_endpoint: `${base}/auth/register` } : {}),
    scopes_supported: [...SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${base}/api-reference`,
  }
}

export const ResourceMetadataSchema = z
  .object({
    resource: z.string(),
    resource_name: z.string(),
    authorization_servers: list,
    scopes_supported: list,
    bearer_methods_supported: list,
    resource_documentation: z.string(),
  })
  .openapi('ProtectedResourceMetadata')

/** The metadata of the protected resource (RFC 9728 §2). */
export function resourceMetadata(ctx: RequestContext): z.infer<typeof ResourceMetadataSchema> {
  const base = ctx.client.origin
  return {
    resource: base,
    resource_name: 'Recollect',
    authorization_servers: [base],
    scopes_supported: [...SCOPES],
    bearer_methods_supported: ['header'],
    resource_documentation: `${base}/api-reference`,
  }
}

const discovery = { method: 'get', tag: 'auth', auth: 'none', scope: null, limit: 'anonymous', audit: null } as const

/** A client that takes `{base}/auth` for the issuer looks at the second path (RFC 8414 §3.1). */
const serverPaths = ['/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server/auth']

export const metadataEndpoints: readonly Endpoint[] = [
  ...serverPaths.map((path) =>
    endpoint({
      ...discovery,
      path,
      summary: 'Describe the authorization server',
      description: 'RFC 8414.',
      reply: { 200: ServerMetadataSchema },
    }).handle(({ ctx }) => serverMetadata(ctx)),
  ),
  endpoint({
    ...discovery,
    path: '/.well-known/oauth-protected-resource',
    summary: 'Describe the protected resource',
    description: 'RFC 9728.',
    reply: { 200: ResourceMetadataSchema },
  }).handle(({ ctx }) => resourceMetadata(ctx)),
]
