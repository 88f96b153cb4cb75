import { z } from '@hono/zod-openapi'
import { endpoint, PUBLIC_READ } from '../core/http/endpoint.ts'
import { publicDocument } from '../core/http/public-document.ts'
import { TOOLS } from './tools/index.ts'

/** What an agent that finds this service by its address must know, in the form of llmstxt.org. */
const text = (origin: string): string => `# Recollect

> Long-term memory for agents and apps: store texts as they are, and find them again by keyword and by meaning. No model changes what is stored.

## Connect

- MCP: \`${origin}/mcp\` (Streamable HTTP), or \`${origin}/mcp/{project_id}\` for only one project
- A client that requires the tools \`search\` and \`fetch\` connects to \`${origin}/mcp?tools=search\`, which lists these two alone
- Sign in with OAuth 2.1 (the metadata is at \`${origin}/.well-known/oauth-protected-resource/mcp\`), or send an API key as \`Authorization: Bearer rck_…\`
- A person creates a key in the [portal](${origin}/portal)

## Tools

${TOOLS.map((tool) => `- \`${tool.name}\`: ${tool.listed(false).description}`).join('\n')}

## Documents

- [OpenAPI 3.1](${origin}/api-reference/openapi.json): the REST API, which can do more than the tools
- [AsyncAPI 2.6](${origin}/api-reference/asyncapi.json): an event for every change, over WebSocket and webhooks
- Clients: \`${origin}/client/versions.json\` has the addresses of the packages for npm and pip; install them from there alone
- [Errors](${origin}/api-reference/errors): every code, its cause and how to fix it
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
