import { z } from '@hono/zod-openapi'
import { endpoint, PUBLIC_READ } from '../core/http/endpoint.ts'
import { publicDocument } from '../core/http/public-document.ts'
import { TOOLS } from './tools/index.ts'

/** What an agent that finds this service by its address must know, in the form of llmstxt.org. */
const text = (origin: string): string => `# Recollect

> Long-term memory for agents and apps: it stores texts as they are, and finds them again by keyword and by meaning. No model changes what is stored.

## Connect

- MCP client: connect to \`${origin}/mcp\` (Streamable HTTP). For only one project, connect to \`${origin}/mcp/{project_id}\`
- MCP client that requires the tools \`search\` and \`fetch\`: connect to \`${origin}/mcp?tools=search\`, which lists these two alone
- To sign in, use OAuth 2.1: [the metadata](${origin}/.well-known/oauth-protected-resource/mcp) says where. A person consents in a browser
- To use an API key, send it as \`Authorization: Bearer rck_…\`. A person creates it in the [portal](${origin}/portal)

## Without MCP

- Store: \`POST ${origin}/api/memory/store\` with \`{"content": "Ada is allergic to peanuts.", "deduplicate": true}\`
- Search: \`POST ${origin}/api/memory/search\` with \`{"query": "Who has a nut allergy?"}\`
- Send an API key as \`X-API-Key: rck_…\`, or an access token for the resource \`${origin}\` as \`Authorization: Bearer\`. A token for \`${origin}/mcp\` is refused here. Add \`Content-Type: application/json\`

## Tools

${TOOLS.map((tool) => `- \`${tool.name}\`: ${tool.listed(false).description}`).join('\n')}

## Documents

- [OpenAPI 3.1](${origin}/api-reference/openapi.json): the REST API, which can do more than the tools
- [AsyncAPI 2.6](${origin}/api-reference/asyncapi.json): an event for every change, over WebSocket and webhooks
- \`${origin}/client/versions.json\`: the addresses of the clients for npm and pip. Install them from these addresses only
- [Errors](${origin}/api-reference/errors): each code, its cause and how to fix it
`

export const llmsEndpoint = endpoint({
  ...PUBLIC_READ,
  path: '/llms.txt',
  operationId: 'getLlmsTxt',
  summary: 'What an agent needs to know to connect',
  ignoresQuery: true,
  reply: { 200: z.string(), 304: null },
  replyType: 'text',
  example: { reply: '# Recollect\n\n> Long-term memory for agents and apps: …' },
}).handle(publicDocument('text/plain; charset=utf-8', text))
