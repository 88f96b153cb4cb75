import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
  type Server,
} from '@modelcontextprotocol/server'
import { METHOD_NOT_FOUND, rpcError } from './message.ts'

/**
 * Answers one message, of the revision 2026-07-28 or of an older one, as JSON once its work has ended. A server lives
 * for one message: there is neither session nor stream.
 */
export async function serve(
  request: Request,
  message: unknown,
  createServer: () => McpServer | Server,
): Promise<Response> {
  const { method, id } = asMessage(message)
  // Nothing here changes under a client's eyes, so there is nothing to listen to.
  if (method === 'subscriptions/listen') return rpcError(404, METHOD_NOT_FOUND, 'Method not found', id)
  return (await isLegacyRequest(request, message))
    ? serveOlder(request, message, createServer())
    : createMcpHandler(createServer, { legacy: 'reject' }).fetch(request, { parsedBody: message })
}

async function serveOlder(request: Request, message: unknown, server: McpServer | Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

const asMessage = (message: unknown): { method?: unknown; id?: unknown } =>
  message !== null && typeof message === 'object' ? message : {}
