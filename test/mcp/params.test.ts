import { expect, test } from 'vitest'
import { modernRpc, OLDER, post, rpc } from '../support/mcp.ts'
import { call, newTenant } from '../support/world.ts'

const WRONG: [string, unknown, string][] = [
  ['initialize', undefined, 'initialize needs protocolVersion, capabilities, and clientInfo'],
  ['initialize', {}, 'Missing or wrong: protocolVersion, capabilities, clientInfo.'],
  ['initialize', { protocolVersion: 1, capabilities: {}, clientInfo: { name: 'a', version: '1' } }, 'protocolVersion'],
  ['initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} }, 'clientInfo.name'],
  ['resources/read', undefined, 'resources/read needs uri, a string'],
  ['resources/read', { uri: null }, 'resources/read needs uri, a string'],
  ['resources/read', { uri: 5 }, 'Missing or wrong: uri.'],
  ['prompts/get', undefined, 'prompts/get needs name, a string'],
  ['prompts/get', { name: 'recall', arguments: { topic: 5 } }, 'Missing or wrong: arguments.topic.'],
  ['prompts/get', { name: 'recall', arguments: { topic: null } }, 'needs one argument, topic'],
  ['tools/call', undefined, 'tools/call needs name, a string'],
  ['tools/call', { name: 'whoami', arguments: [] }, 'Missing or wrong: arguments.'],
  ['tools/call', { name: 'whoami', arguments: 5 }, 'Missing or wrong: arguments.'],
  ['tools/list', { cursor: 5 }, 'tools/list takes cursor, a string.'],
  ['tools/list', [], 'params must be an object.'],
  ['ping', 'x', 'params must be an object.'],
]

test.each(WRONG)('%s with %j is -32602 with a sentence', async (method, params, part) => {
  const { key } = await newTenant()
  const { status, body } = await rpc(method, params, { bearer: key })
  expect({ status, code: body.error?.code }).toEqual({ status: 200, code: -32602 })
  expect(body.error.message).toContain(part)
  expect(body.error.message).toMatch(/\.$/)
  expect(typeof body.id).toBe('number')
})

test('the revision 2026-07-28 gets the same sentence', async () => {
  const { key } = await newTenant()
  const { body } = await modernRpc('resources/read', { uri: 5 }, { bearer: key })
  expect(body.error).toEqual({
    code: -32602,
    message: 'resources/read needs uri, a string such as memory://recent. Missing or wrong: uri.',
  })
})

test('the revision 2026-07-28 has no initialize, whatever its params are', async () => {
  const { key } = await newTenant()
  expect((await modernRpc('initialize', {}, { bearer: key })).body.error.code).toBe(-32601)
})

test('a name of the client in a sentence is cut', async () => {
  const { key } = await newTenant()
  const args = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${'x'.repeat(500)}${at}`, at]))
  const { body } = await rpc('prompts/get', { name: 'remember', arguments: args }, { bearer: key })
  expect(body.error.message.length).toBeLessThan(600)
})

test.each([
  ['ping', null],
  ['tools/list', null],
  ['tools/list', { cursor: null, _meta: null }],
  ['resources/list', null],
  ['prompts/get', { name: 'remember', arguments: null }],
  ['prompts/get', { name: 'remember', arguments: { focus: null } }],
])('%s takes %j', async (method, params) => {
  const { key } = await newTenant()
  expect((await rpc(method, params, { bearer: key })).body.error).toBeUndefined()
})

test('a notification with wrong params is answered with nothing', async () => {
  const { key } = await newTenant()
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized', params: null }
  expect(await post(notification, { bearer: key, headers: OLDER })).toMatchObject({ status: 202, text: '' })
})

test.each([
  ['application/json'],
  ['*/*'],
  ['application/*;q=0.5, text/html'],
  ['Application/JSON; charset=utf-8'],
  [''],
  ['application/json, text/event-stream'],
])('a client that accepts %j is answered', async (accept) => {
  const { key } = await newTenant()
  const { status, headers, body } = await rpc('ping', {}, { bearer: key, headers: { Accept: accept } })
  expect({ status, result: body.result }).toEqual({ status: 200, result: {} })
  expect(headers.get('content-type')).toBe('application/json')
})

test('a client that says nothing of what it accepts is answered', async () => {
  const { key } = await newTenant()
  const headers = { Authorization: `Bearer ${key}` }
  expect((await call('POST', '/mcp', { headers, body: { jsonrpc: '2.0', id: 1, method: 'ping' } })).status).toBe(200)
})

test.each([['text/event-stream'], ['text/html'], ['application/json;q=0']])(
  'a client that accepts %j alone is 406, and told what to send',
  async (accept) => {
    const { key } = await newTenant()
    const { status, body } = await rpc('ping', {}, { bearer: key, headers: { Accept: accept } })
    expect(status).toBe(406)
    expect(body.error.message).toContain('application/json')
  },
)
