/** @module-tag long */
import { afterAll, expect, test } from 'vitest'
import { counted, settled } from '../support/counted.ts'
import { modernRpc, post, rpc } from '../support/mcp.ts'
import { call, newTenant } from '../support/world.ts'

afterAll(settled)

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}
const OLDER = { Accept: 'application/json, text/event-stream' }

test.each(['/mcp', '/mcp/'])('%s answers the older revisions, as JSON and without a session', async (path) => {
  const { key } = await newTenant()
  const { status, headers, body } = await rpc('initialize', INITIALIZE, { bearer: key, path })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('mcp-session-id')).toBeNull()
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body.result).toMatchObject({
    protocolVersion: '2025-06-18',
    serverInfo: { name: 'recollect' },
    capabilities: {
      tools: { listChanged: false },
      resources: { listChanged: false, subscribe: false },
      prompts: { listChanged: false },
    },
  })
  expect(body.result.instructions).toContain('search_memories')
})

test('it answers the revision 2026-07-28 without a handshake, as JSON', async () => {
  const { key } = await newTenant()
  const discovered = await modernRpc('server/discover', {}, { bearer: key })
  expect(discovered.headers.get('content-type')).toBe('application/json')
  expect(discovered.body.result).toMatchObject({ supportedVersions: ['2026-07-28'], resultType: 'complete' })
  const called = await modernRpc('tools/call', { name: 'list_projects', arguments: {} }, { bearer: key })
  expect(called.headers.get('content-type')).toBe('application/json')
  expect(called.body.result.structuredContent.projects).toHaveLength(1)
})

test('a progress token makes no stream of an answer', async () => {
  const { key } = await newTenant()
  const params = { name: 'list_projects', arguments: {}, _meta: { progressToken: 'p' } }
  const { headers } = await rpc('tools/call', params, { bearer: key })
  expect(headers.get('content-type')).toBe('application/json')
})

test.each(['GET', 'DELETE', 'PUT'])('%s is 405, before any credential', async (method) => {
  for (const path of ['/mcp', '/mcp/', '/mcp/prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG']) {
    const { status, headers } = await call(method, path)
    expect(status, path).toBe(405)
    expect(headers.get('allow')).toBe('OPTIONS, POST')
  }
})

test('a path that names no project id is 404', async () => {
  const { key } = await newTenant()
  for (const path of ['/mcp/x', '/mcp/prj_x', '/mcp/prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG/tools']) {
    expect((await rpc('ping', {}, { bearer: key, path })).status, path).toBe(404)
    expect((await call('GET', path)).status, path).toBe(404)
  }
})

const ALLOWED = [
  'Authorization',
  'X-Session-Token',
  'Content-Type',
  'Accept',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'Last-Event-ID',
]

test('contract §1: OPTIONS is 204 without a credential, for any origin, with the headers of the protocol', async () => {
  for (const path of ['/mcp', '/mcp/', '/mcp/prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG']) {
    const { status, headers } = await call('OPTIONS', path, {
      headers: { Origin: 'https://agent.example', 'Access-Control-Request-Method': 'POST' },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    const allowed = headers.get('access-control-allow-headers')?.split(',') ?? []
    expect(allowed).toEqual(ALLOWED)
  }
})

test('a page of any origin may call it, and reads the challenge of a 401', async () => {
  const { status, headers } = await rpc('ping', {}, { headers: { Origin: 'https://agent.example' } })
  expect(status).toBe(401)
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
})

test('security 56: an array of messages is refused, and nothing of it is done', async () => {
  const tenant = await newTenant()
  const store = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'store_memory', arguments: { content: 'one of many' } },
  })
  for (const batch of [[], [store(1)], Array.from({ length: 50 }, (_, id) => store(id))]) {
    const { status, body } = await post(batch, { bearer: tenant.key, headers: OLDER })
    expect(status).toBe(400)
    expect(body).toMatchObject({ id: null, error: { code: -32600 } })
  }
  const listed = await call('GET', '/v1/memory/items', { key: tenant.key })
  expect(listed.body.data).toEqual([])
})

test.each([
  ['no JSON', '{', -32700],
  ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), -32700],
  ['a lone surrogate', '{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', -32600],
])('a body that is %s is refused', async (_, raw, code) => {
  const { key } = await newTenant()
  const { status, body } = await call('POST', '/mcp', {
    raw,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...OLDER },
  })
  expect({ status, code: body.error.code }).toEqual({ status: 400, code })
})

test.each([[null], ['ping'], [1], [{}], [{ jsonrpc: '2.0' }], [{ jsonrpc: '1.0', id: 1, method: 'ping' }]])(
  '%j is no message',
  async (body) => {
    const { key } = await newTenant()
    const answer = await post(body, { bearer: key, headers: OLDER })
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBeLessThan(0)
  },
)

test.each([
  ['10,000 levels', '['.repeat(10_000) + ']'.repeat(10_000)],
  ['20,000 members', `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":${n}`).join(',')}}`],
  ['a prototype', '{"__proto__":{"isError":true},"constructor":{"prototype":{}}}'],
])('security 32: arguments, an id and a member of %s are refused, and never 500', async (_, json) => {
  const { key } = await newTenant()
  const answers = [
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"store_memory","arguments":{"content":"x","metadata":{"a":${json}},"b":1}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":${json}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"a":${json},"_meta":{"b":${json}}}}`,
    `{"jsonrpc":"2.0","id":${json},"method":"ping"}`,
  ]
  for (const raw of answers) {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...OLDER }
    const { status, body } = await call('POST', '/mcp', { raw, headers })
    expect(status, raw.slice(0, 80)).toBeLessThan(500)
    expect(typeof body.error?.code === 'number' || body.result?.isError === true, raw.slice(0, 80)).toBe(true)
  }
})

test.each([
  ['a tool', '{"name":"whoami","arguments":{"__proto__":{"a":1}}}', 'Unknown field "__proto__"'],
  ['a tool that takes text', '{"name":"store_memory","arguments":{"content":"x","__proto__":"y"}}', '__proto__'],
  ['a prompt', '{"name":"recall","arguments":{"topic":"x","__proto__":"y"}}', 'one argument'],
])('security 30: an argument of %s named __proto__ is refused, and not dropped', async (what, params, part) => {
  const { key } = await newTenant()
  const method = what === 'a prompt' ? 'prompts/get' : 'tools/call'
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...OLDER }
  const raw = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
  const { body } = await call('POST', '/mcp', { raw, headers })
  expect(body.error?.message ?? (body.result.isError && body.result.content[0].text)).toContain(part)
})

test('another type than JSON is 415, a body above 1 MiB 413', async () => {
  const { key } = await newTenant()
  const bearer = { Authorization: `Bearer ${key}` }
  const typed = await call('POST', '/mcp', { raw: '{}', headers: { ...bearer, 'Content-Type': 'text/plain' } })
  expect(typed.status).toBe(415)
  const large = await post({ padding: 'x'.repeat(1024 * 1024) }, { bearer: key })
  expect(large.status).toBe(413)
})

test('a client that listens for changes is refused at once, and its request is not left open', async () => {
  const { key } = await newTenant()
  const { status, body } = await modernRpc(
    'subscriptions/listen',
    { notifications: { toolsListChanged: true } },
    { bearer: key },
  )
  expect(status).toBe(404)
  expect(body.error.code).toBe(-32601)
})

test.each(['logging/setLevel', 'completion/complete', 'resources/subscribe', 'tasks/list', 'no/such'])(
  '%s is no method of this server',
  async (method) => {
    const { key } = await newTenant()
    expect((await rpc(method, {}, { bearer: key })).body.error.code).toBe(-32601)
  },
)

test('a notification is 202 without a body', async () => {
  const { key } = await newTenant()
  const { status, text } = await post(
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { bearer: key, headers: OLDER },
  )
  expect({ status, text }).toEqual({ status: 202, text: '' })
})

test('an unknown revision is refused with those that are served', async () => {
  const { key } = await newTenant()
  const { status, text } = await rpc('ping', {}, { bearer: key, headers: { 'MCP-Protocol-Version': '1999-01-01' } })
  expect(status).toBe(400)
  expect(text).toContain('2025-11-25')
})

/** Each message passes the user's hub once: a tool in the pipeline of its operation, anything else by itself. */
test.each([
  ['ping', {}, { hub: 1, d1: 0 }],
  ['tools/list', {}, { hub: 1, d1: 0 }],
  ['initialize', INITIALIZE, { hub: 1, d1: 0 }],
  ['no/such', {}, { hub: 1, d1: 0 }],
  ['tools/call', { name: 'list_projects', arguments: {} }, { hub: 1, d1: 1 }],
  ['tools/call', { name: 'search_memories', arguments: { query: 'tea' } }, { hub: 1, d1: 1, vectors: 1 }],
  ['tools/call', { name: 'get_memory', arguments: { id: 'mem_none' } }, { hub: 1, d1: 1 }],
  ['tools/call', { name: 'search_memories', arguments: {} }, { hub: 1, d1: 0 }],
  ['tools/call', { name: 'no_such', arguments: {} }, { hub: 1, d1: 0 }],
  ['resources/read', { uri: 'memory://mem_none' }, { hub: 1, d1: 1 }],
  ['resources/read', { uri: 'file:///etc/passwd' }, { hub: 1, d1: 0 }],
])('%s %j', async (method, params, more) => {
  const { key } = await newTenant()
  const { asked } = await counted('POST', '/mcp', {
    headers: { Authorization: `Bearer ${key}`, ...OLDER },
    body: { jsonrpc: '2.0', id: 1, method, params },
  })
  expect(asked).toEqual({ limiter: 0, vectors: 0, ...more })
})
