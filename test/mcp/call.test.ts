import { expect, test } from 'vitest'
import { calledResource } from '../../src/auth/index.ts'
import { unavailable } from '../../src/core/errors.ts'
import { McpCall } from '../../src/mcp/call.ts'
import { serve } from '../../src/mcp/serve.ts'
import { createServer } from '../../src/mcp/server.ts'
import { requestContext } from '../support/oauth.ts'
import { newTenant, system } from '../support/world.ts'

const ORIGIN = 'http://recollect.test'
const PLACE = {
  projectId: null,
  called: calledResource(new Request(`${ORIGIN}/mcp`), ORIGIN),
  toolset: 'all',
} as const

/** The answer to a message whose operation fails in this way. */
async function answerTo(method: string, params: object, failure: unknown) {
  const { key } = await newTenant()
  const parsed = await system.tokens.parse(key)
  if (!parsed) throw new Error('no key')
  const logged: string[] = []
  const ctx = requestContext({
    log: { ...system.log, error: (fields, error) => void logged.push(JSON.stringify(fields) + String(error)) },
  })
  const call = new McpCall(
    ctx,
    PLACE,
    { ...parsed, kind: 'key' },
    {
      run: () => Promise.reject(failure),
      called: () => {},
    },
  )
  const message = { jsonrpc: '2.0', id: 1, method, params }
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
  const request = new Request('http://recollect.test/mcp', { method: 'POST', headers, body: JSON.stringify(message) })
  const text = await (
    await serve(request, message, () => createServer(call, { message, json: JSON.stringify(message) }))
  ).text()
  return { text, body: JSON.parse(text), logged, requestId: ctx.requestId, ended: call.ended }
}

const TOOL = { name: 'get_memory', arguments: { id: 'mem_x' } }
const SECRET = 'D1_ERROR: no such column: secret_hash'

test('security 58: an unknown exception of a tool is internal with the request id, and its text goes to the log alone', async () => {
  const { text, body, logged, requestId, ended } = await answerTo('tools/call', TOOL, new Error(SECRET))
  expect(body.result.isError).toBe(true)
  expect(body.result.content[0].text).toBe(`internal: Something went wrong on our side (request ${requestId}).`)
  expect(text).not.toContain('secret_hash')
  expect(logged.join()).toContain('secret_hash')
  expect(logged.join()).toContain(requestId)
  expect(ended).toBeNull()
})

test('security 58: so is one of a resource', async () => {
  const { text, body, logged, requestId } = await answerTo(
    'resources/read',
    { uri: 'memory://mem_x' },
    new Error(SECRET),
  )
  expect(body.error.message).toBe(`internal: Something went wrong on our side (${requestId}).`)
  expect(text).not.toContain('secret_hash')
  expect(logged.join()).toContain('secret_hash')
})

test.each([['a string'], [null], [undefined], [{ code: 7, message: SECRET, data: SECRET }]])(
  'security 58: whatever is thrown, such as %j, its content stays inside',
  async (thrown) => {
    const { text } = await answerTo('tools/call', TOOL, thrown)
    expect(text).toContain('internal: Something went wrong on our side')
    expect(text).not.toContain('secret_hash')
  },
)

test('a dependency that is down is an error of the tool that says how long to wait', async () => {
  const { body, ended } = await answerTo('tools/call', TOOL, unavailable('The database', new Error(SECRET), 7))
  expect(body.result.content[0].text).toBe(
    'dependency_unavailable: The database did not answer. Try again shortly. Wait 7 seconds, then call again.',
  )
  expect(ended).toBeNull()
})

test('a hub that is down ends a handshake as 503', async () => {
  const { key } = await newTenant()
  const parsed = await system.tokens.parse(key)
  if (!parsed) throw new Error('no key')
  const down = { admit: () => Promise.reject(unavailable('The hub of this user', null, 1)) }
  const ctx = requestContext({ hub: () => ({ ...system.hub(parsed.routingId), ...down }) })
  const call = new McpCall(
    ctx,
    PLACE,
    { ...parsed, kind: 'key' },
    { run: () => Promise.reject(new Error()), called: () => {} },
  )
  await expect(call.settle()).rejects.toMatchObject({ code: 'dependency_unavailable' })
})
