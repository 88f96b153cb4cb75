import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
  type Server,
} from '@modelcontextprotocol/server'
import { parseAccept } from 'hono/utils/accept'
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

/** What the transport demands, although it answers JSON alone. */
const ACCEPT = 'application/json, text/event-stream'
const JSON_TYPES = ['application/json', 'application/*', '*/*']
/** The code of the package for a request that it cannot answer. */
const NOT_ACCEPTABLE = -32000

async function serveOlder(request: Request, message: unknown, server: McpServer | Server): Promise<Response> {
  if (!takesJson(request.headers.get('accept') ?? '')) {
    const fault = 'This server answers JSON: send "Accept: application/json".'
    return rpcError(406, NOT_ACCEPTABLE, fault, asMessage(message).id)
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(withAccept(request), { parsedBody: message })
  } finally {
    await server.close()
  }
}

/** A client that names no type takes any (RFC 9110 §12.5.1). */
const takesJson = (accept: string): boolean =>
  accept.trim() === '' || parseAccept(accept).some(({ type, q }) => q > 0 && JSON_TYPES.includes(type.toLowerCase()))

/** The request without its body, which has been read. */
function withAccept({ url, method, headers: sent, signal }: Request): Request {
  const headers = new Headers(sent)
  headers.set('Accept', ACCEPT)
  return new Request(url, { method, headers, signal })
}

const asMessage = (message: unknown): { method?: unknown; id?: unknown } =>
  message !== null && typeof message === 'object' ? message : {}
