import { call, type Answer } from './world.ts'

/** Headers of a message of the older revisions. */
export const OLDER = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' }
const MODERN = '2026-07-28'

export interface Sent {
  /** Sent as `Authorization: Bearer`, whatever it is. */
  bearer?: string | undefined
  path?: string
  headers?: Record<string, string>
}

let ids = 0

/** One JSON-RPC request of an older revision through the whole Worker. */
export function rpc(method: string, params: unknown, { bearer, path = '/mcp', headers = {} }: Sent): Promise<Answer> {
  return post({ jsonrpc: '2.0', id: (ids += 1), method, params }, { bearer, path, headers: { ...OLDER, ...headers } })
}

/** The same of the revision 2026-07-28, whose envelope and headers travel with each message. */
export function modernRpc(
  method: string,
  params: Record<string, unknown>,
  { bearer, path = '/mcp', headers = {} }: Sent,
): Promise<Answer> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  }
  const name = params['name'] ?? params['uri']
  return post(
    { jsonrpc: '2.0', id: (ids += 1), method, params: { ...params, _meta } },
    {
      bearer,
      path,
      headers: {
        Accept: OLDER.Accept,
        'MCP-Protocol-Version': MODERN,
        'Mcp-Method': method,
        ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
        ...headers,
      },
    },
  )
}

/** Any body at all. */
export const post = (body: unknown, { bearer, path = '/mcp', headers = {} }: Sent): Promise<Answer> =>
  call('POST', path, {
    body,
    headers: { ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }), ...headers },
  })

export interface ToolAnswer {
  status: number
  headers: Headers
  isError: boolean
  /** `structuredContent`; an empty object where there is none. */
  result: any
  text: string
}

/** One tool call; throws where the answer is no result of a tool. */
export async function useTool(name: string, args: Record<string, unknown>, sent: Sent): Promise<ToolAnswer> {
  const { status, headers, body, text } = await rpc('tools/call', { name, arguments: args }, sent)
  if (status !== 200 || body?.result === undefined) throw new Error(`${name}: ${status} ${text}`)
  const { content, structuredContent, isError } = body.result
  return { status, headers, isError: isError === true, result: structuredContent ?? {}, text: content[0].text }
}
