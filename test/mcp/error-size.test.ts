import { expect, test } from 'vitest'
import { MAX_ERROR_BYTES } from '../../src/core/http/error-size.ts'
import { modernRpc, OLDER, post, rpc, useTool } from '../support/mcp.ts'
import { newTenant } from '../support/world.ts'

const long = 'x'.repeat(900_000)
/** Members that no schema knows. */
const unknown = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`unknown${at}`, at]))
const wrong = Array.from({ length: 100_000 }, () => 0)

const MESSAGES: [string, string, Record<string, unknown>][] = [
  ['unknown arguments', 'tools/call', { name: 'search_memories', arguments: unknown }],
  ['a list of wrong values', 'tools/call', { name: 'search_memories', arguments: { query: 'tea', tags: wrong } }],
  ['arguments that are a list', 'tools/call', { name: 'search_memories', arguments: wrong }],
  ['a long unknown tool', 'tools/call', { name: long }],
  ['a long id', 'tools/call', { name: 'get_memory', arguments: { id: long } }],
  ['a tool named by a list', 'tools/call', { name: wrong }],
  ['a long unknown resource', 'resources/read', { uri: long }],
  ['a resource named by an object', 'resources/read', { uri: unknown }],
  ['a long unknown prompt', 'prompts/get', { name: long }],
  ['wrong arguments of a prompt', 'prompts/get', { name: 'recall', arguments: unknown }],
  ['an unknown method', long, {}],
  [
    'unknown members of a handshake',
    'initialize',
    { protocolVersion: long, capabilities: unknown, clientInfo: unknown },
  ],
]

test('contract §9: an answer repeats an id of 256 characters, and refuses a longer one', async () => {
  const { key } = await newTenant()
  const ping = (id: string) => post({ jsonrpc: '2.0', id, method: 'ping' }, { bearer: key, headers: OLDER })
  expect((await ping('x'.repeat(256))).body).toEqual({ jsonrpc: '2.0', id: 'x'.repeat(256), result: {} })
  expect(await ping('x'.repeat(257))).toMatchObject({ status: 400, body: { id: null, error: { code: -32_600 } } })
})

test('a large message without an error is answered as ever', async () => {
  const { key } = await newTenant()
  const { result } = await useTool('store_memory', { content: 'tea '.repeat(15_000) }, { bearer: key })
  expect(result.id).toMatch(/^mem_/)
  const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: long } }
  expect(await post(notification, { bearer: key, headers: OLDER })).toMatchObject({ status: 202, text: '' })
})

test.each(MESSAGES)(
  'contract §1, security 66: %s of 1 MiB has an error of 32 KiB at most',
  async (_, method, params) => {
    const { key } = await newTenant()
    for (const send of [rpc, modernRpc]) {
      const headers = send === rpc ? {} : { 'Mcp-Method': 'x', 'Mcp-Name': 'x' }
      const { text } = await send(method, params, { bearer: key, headers })
      expect(text.length).toBeLessThan(MAX_ERROR_BYTES)
    }
  },
)
