import { OpenAPIHono, z } from '@hono/zod-openapi'
import { SCOPES } from '../../core/context.ts'
import { endpoint, PUBLIC_READ, type Endpoint } from '../../core/http/endpoint.ts'
import { publicDocument } from '../../core/http/public-document.ts'
import { VERSION } from '../../core/version.ts'
import { withDefaultsInWords } from './defaults-in-words.ts'
import { guide, SCOPE_DESCRIPTIONS, TAGS } from './guide.ts'
import { HEADERS } from './headers.ts'
import { operation } from './operation.ts'
import { sdkInstallation } from './sdk-installation.ts'

/** The OpenAPI 3.1 document, from the same declarations as the router. */
function openApiDocument(endpoints: readonly Endpoint[], origin: string): object {
  const app = new OpenAPIHono()
  registerSecurity(app.openAPIRegistry)
  for (const [name, header] of Object.entries(HEADERS)) app.openAPIRegistry.registerComponent('headers', name, header)
  for (const { spec } of endpoints) {
    for (const [name, schema] of Object.entries(spec.components ?? {}))
      app.openAPIRegistry.registerComponent('schemas', name, schema)
    app.openAPIRegistry.registerPath(operation(spec))
  }
  const used = new Set(endpoints.map(({ spec }) => spec.tag))
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Recollect',
      version: VERSION,
      description: guide(origin),
      'x-scalar-sdk-installation': sdkInstallation(origin),
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: origin }],
    tags: TAGS.filter((tag) => used.has(tag.name)),
  })
  return withDefaultsInWords(document)
}

function registerSecurity(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'For service-to-service calls. Never use it in client-side code.',
  })
  registry.registerComponent('securitySchemes', 'oauth2', {
    type: 'oauth2',
    description: 'OAuth 2.1 access token in `Authorization: Bearer`: recommended for calls on behalf of a user.',
    flows: {
      authorizationCode: {
        authorizationUrl: '/auth/authorize',
        tokenUrl: '/auth/token',
        refreshUrl: '/auth/token',
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_DESCRIPTIONS[scope]])),
      },
    },
  })
  registry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'header',
    name: 'X-Session-Token',
    description: 'From `POST /auth/login`, for web and mobile clients.',
  })
  registry.registerComponent('securitySchemes', 'operator', {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key from `OPERATOR_KEYS`, for the operator of the deployment. If none is configured, the operator paths return 404.',
  })
  registry.registerComponent('securitySchemes', 'client', {
    type: 'http',
    scheme: 'basic',
    description: 'The credentials of an OAuth client, in HTTP Basic or as `client_id` and `client_secret` in the form.',
  })
}

export const openApiEndpoint = (all: () => readonly Endpoint[]): Endpoint =>
  endpoint({
    ...PUBLIC_READ,
    path: '/api-reference/openapi.json',
    operationId: 'getOpenApiDocument',
    summary: 'This document',
    reply: { 200: z.looseObject({ openapi: z.string() }), 304: null },
    example: { reply: { openapi: '3.1.0', info: { title: 'Recollect', version: VERSION }, paths: { '/health': {} } } },
  }).handle(publicDocument('application/json', (origin) => JSON.stringify(openApiDocument(all(), origin))))
