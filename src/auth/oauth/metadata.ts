import { z } from '@hono/zod-openapi'
import type { Config } from '../../core/config.ts'
import type { RequestContext } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { endpoint, type Endpoint } from '../../core/http/endpoint.ts'
import { anyId, onlyTrue } from '../../core/http/fields.ts'
import { SAMPLE_IDS, SAMPLE_ORIGIN } from '../../core/sample.ts'
import { offersDocuments } from './clients/documents-left-out.ts'
import { AGENT_SCOPES, agentProject, RESOURCE_METADATA_PATH, SEARCH_TOOLS } from './resources.ts'
import { OPEN_SCOPES } from './scopes.ts'

const list = z.array(z.string())

export const ServerMetadataSchema = z
  .object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    revocation_endpoint: z.string(),
    introspection_endpoint: z.string(),
    registration_endpoint: z.string().optional(),
    client_id_metadata_document_supported: onlyTrue.optional(),
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

/** What of a request its metadata tell. */
interface Described {
  client: Pick<RequestContext['client'], 'origin'>
  config: Pick<Config, 'openClientRegistration'>
}

const SAMPLE_SERVICE: Described = { client: { origin: SAMPLE_ORIGIN }, config: { openClientRegistration: true } }

/** The metadata of the authorization server (RFC 8414 §2). `documents`: whether a `client_id` may be a metadata document. */
export function serverMetadata(ctx: Described, documents: boolean): z.infer<typeof ServerMetadataSchema> {
  const base = ctx.client.origin
  return {
    issuer: base,
    authorization_endpoint: `${base}/auth/authorize`,
    token_endpoint: `${base}/auth/token`,
    revocation_endpoint: `${base}/auth/revoke`,
    introspection_endpoint: `${base}/auth/introspect`,
    ...(ctx.config.openClientRegistration ? { registration_endpoint: `${base}/auth/register` } : {}),
    ...(documents ? { client_id_metadata_document_supported: true as const } : {}),
    scopes_supported: [...OPEN_SCOPES],
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

/**
 * The metadata of a protected resource (RFC 9728 §2): of the API for the path `''`, else of an agent path. A client compares
 * `resource` with the address that it was given (§3.3), so a final slash and `?tools=search` stay.
 */
export function resourceMetadata(ctx: Described, path = ''): z.infer<typeof ResourceMetadataSchema> {
  const base = ctx.client.origin
  return {
    resource: `${base}${path}`,
    resource_name: 'Recollect',
    authorization_servers: [base],
    scopes_supported: path === '' ? [...OPEN_SCOPES] : [...AGENT_SCOPES],
    bearer_methods_supported: ['header'],
    resource_documentation: `${base}/api-reference`,
  }
}

const discovery = { method: 'get', tag: 'auth', auth: 'none', scope: null, limit: 'anonymous', audit: null } as const

/** A client that takes `{base}/auth` for the issuer looks at the second path (RFC 8414 §3.1). */
const serverPaths = [
  {
    path: '/.well-known/oauth-authorization-server',
    operationId: 'getAuthorizationServerMetadata',
    summary: 'Describe the authorization server',
  },
  {
    path: '/.well-known/oauth-authorization-server/auth',
    operationId: 'getAuthorizationServerMetadataOfAuthUrl',
    summary: 'Describe the authorization server to a client that uses /auth as its issuer',
  },
]

/** Metadata of `/mcp/prj_…` is the same for every well-formed id: it tells nothing about which projects exist. */
const agentPaths = [
  { path: '/mcp', operationId: 'getAgentResourceMetadata', summary: 'Describe the agent path as a protected resource' },
  {
    path: '/mcp/{project_id}',
    operationId: 'getProjectAgentResourceMetadata',
    summary: 'Describe the agent path of a project as a protected resource',
  },
]

export const metadataEndpoints: readonly Endpoint[] = [
  ...serverPaths.map((one) =>
    endpoint({
      ...discovery,
      ...one,
      description: 'RFC 8414.',
      reply: { 200: ServerMetadataSchema },
      example: { reply: serverMetadata(SAMPLE_SERVICE, true) },
    }).handle(({ ctx }) => serverMetadata(ctx, offersDocuments(ctx))),
  ),
  endpoint({
    ...discovery,
    path: RESOURCE_METADATA_PATH,
    operationId: 'getProtectedResourceMetadata',
    summary: 'Describe the API as a protected resource',
    description: 'RFC 9728.',
    reply: { 200: ResourceMetadataSchema },
    example: { reply: resourceMetadata(SAMPLE_SERVICE) },
  }).handle(({ ctx }) => resourceMetadata(ctx)),
  ...agentPaths.map(({ path, ...names }) =>
    endpoint({
      ...discovery,
      ...names,
      path: `${RESOURCE_METADATA_PATH}${path}`,
      finalSlash: true,
      description: 'RFC 9728 §3.1. Tokens for this resource work only at that path (RFC 8707).',
      ...(path.includes('{') ? { params: z.strictObject({ project_id: anyId }), errors: ['not_found'] } : {}),
      query: z.strictObject({
        tools: z.literal('search').optional().meta({ description: 'As in the address that the client was given.' }),
      }),
      reply: { 200: ResourceMetadataSchema },
      example: {
        ...(path.includes('{') ? { params: { project_id: SAMPLE_IDS.project } } : {}),
        reply: resourceMetadata(SAMPLE_SERVICE, path.replace('{project_id}', SAMPLE_IDS.project)),
      },
    }).handle(({ ctx, request, query }) => {
      const called = new URL(request.url).pathname.slice(RESOURCE_METADATA_PATH.length)
      if (agentProject(called) === undefined) throw notFound('path')
      return resourceMetadata(ctx, query.tools === undefined ? called : `${called}${SEARCH_TOOLS}`)
    }),
  ),
]
