import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { isAppError } from '../core/errors.ts'
import { VERSION } from '../core/version.ts'
import type { McpCall } from './call.ts'
import { instructionsFor } from './instructions.ts'
import { argumentsOf, type ReadMessage } from './message.ts'
import { getPrompt, promptsOf } from './prompts.ts'
import { listResources, listTemplates, readResource } from './resources.ts'
import { callTool } from './tools/call-tool.ts'
import { listTools } from './tools/list-tools.ts'
import { endsRequest } from './tool-error.ts'

const NAME = { name: 'recollect', title: 'Recollect', version: VERSION }

/** The MCP server of one message. */
export function createServer(call: McpCall, { message, json }: ReadMessage): Server {
  const server = new Server(NAME, {
    capabilities: {
      tools: { listChanged: false },
      resources: { listChanged: false, subscribe: false },
      prompts: { listChanged: false },
    },
    instructions: instructionsFor(call.projectId, call.toolset),
  })
  const guarded = <T>(work: () => Promise<T>): Promise<T> => work().catch((error: unknown) => refuse(call, error))
  server.setRequestHandler('tools/list', () => guarded(async () => ({ tools: await listTools(call) })))
  server.setRequestHandler('tools/call', ({ params }) =>
    guarded(() => callTool(call, { name: params.name, arguments: argumentsOf(message), json })),
  )
  server.setRequestHandler('resources/list', () => ({ resources: listResources(call.projectId) }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: listTemplates(call.projectId) }))
  server.setRequestHandler('resources/read', ({ params }) => guarded(() => readResource(call, params.uri)))
  server.setRequestHandler('prompts/list', () => ({ prompts: promptsOf(call.toolset) }))
  server.setRequestHandler('prompts/get', ({ params }) =>
    getPrompt(call.toolset, { name: params.name, arguments: argumentsOf(message) }),
  )
  return server
}

/**
 * The error of a message. What refuses the credential ends the whole request. Of an unknown exception nothing but the
 * request id goes out, since the package would show its text to the model.
 */
function refuse(call: McpCall, error: unknown): never {
  if (error instanceof ProtocolError) throw error
  if (isAppError(error)) {
    if (endsRequest(error)) call.ended = error
    const retryAfter = error.headers['Retry-After']
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${error.code}: ${error.detail}`, {
      code: error.code,
      ...(retryAfter === undefined ? {} : { retry_after: Number(retryAfter) }),
    })
  }
  const { log, requestId } = call.ctx
  log.error({ event: 'mcp.failed', request_id: requestId }, error)
  throw new ProtocolError(ProtocolErrorCode.InternalError, `internal: Something went wrong on our side (${requestId}).`)
}
