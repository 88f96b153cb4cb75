/**
 * @module-tag long
 * @module-tag shards
 */
import { expect, test } from 'vitest'
import { modernRpc, rpc, useTool, type Sent } from '../support/mcp.ts'
import { expectAudited, newApp, newPerson, newTokens, notAudited } from '../support/oauth.ts'
import { addKey, call, newSession, newTenant } from '../support/world.ts'

const ORIGIN = 'http://recollect.test'
const ALL = 'read:memory write:memory read:projects read:profile'
const PROJECT = 'prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG'

const search = (sent: Sent) => rpc('tools/call', { name: 'search_memories', arguments: { query: 'tea' } }, sent)

test('contract §2: an API key comes as Bearer at /mcp, and as X-API-Key', async () => {
  const { key } = await newTenant()
  expect((await search({ bearer: key })).status).toBe(200)
  expect((await search({ headers: { 'X-API-Key': key } })).status).toBe(200)
  const elsewhere = await call('GET', '/v1/projects', { headers: { Authorization: `Bearer ${key}` } })
  expect(elsewhere.status).toBe(401)
})

test('an access token and a session open it too', async () => {
  const person = await newPerson()
  const { access_token: token } = await newTokens(person, await newApp(person))
  expect((await search({ bearer: token })).status).toBe(200)
  expect((await search({ headers: await newSession(person) })).status).toBe(200)
})

test('a session token as Bearer is 401, and two credentials are 400', async () => {
  const tenant = await newTenant()
  const session = await newSession(tenant)
  expect((await search({ bearer: session['X-Session-Token'] })).status).toBe(401)
  for (const headers of [{ 'X-API-Key': tenant.key }, session]) {
    const { status, body } = await search({ bearer: tenant.key, headers })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'conflicting_credentials' })
  }
})

test.each([
  ['/mcp', '/mcp'],
  ['/mcp/', '/mcp/'],
  ['/mcp?tools=search', '/mcp?tools=search'],
  ['/mcp?tools=made-up', '/mcp'],
  [`/mcp/${PROJECT}`, `/mcp/${PROJECT}`],
  [`/mcp/${PROJECT}/`, `/mcp/${PROJECT}/`],
])('a 401 at %s names the metadata of that path, and the scopes', async (path, metadata) => {
  const resource = `resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource${metadata}"`
  const without = await search({ path })
  expect(without.status).toBe(401)
  expect(without.headers.get('www-authenticate')).toBe(`Bearer ${resource}, scope="${ALL}"`)
  const madeUp = await search({ path, bearer: `rck_live_${'0'.repeat(60)}` })
  expect(madeUp.status).toBe(401)
  expect(madeUp.headers.get('www-authenticate')).toBe(`Bearer ${resource}, error="invalid_token", scope="${ALL}"`)
})

test.each([
  ['initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }],
  ['ping', {}],
  ['tools/list', {}],
  ['prompts/list', {}],
  ['tools/call', { name: 'search_memories', arguments: { query: 'tea' } }],
  ['tools/call', { name: 'search_memories', arguments: {} }],
  ['tools/call', { name: 'no_such', arguments: {} }],
  ['resources/read', { uri: 'memory://recent' }],
  ['no/such', {}],
])('a key that was revoked in between is 401 at %s %j', async (method, params) => {
  const tenant = await newTenant()
  const { id, secret } = await addKey(tenant)
  expect((await rpc(method, params, { bearer: secret })).status).toBe(200)
  await call('DELETE', `/v1/api-keys/${id}`, { headers: await newSession(tenant) })
  for (const send of [rpc, modernRpc]) {
    const { status, headers, body } = await send(method, params, { bearer: secret })
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'invalid_token' })
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"')
  }
})

test('security 57: a grant that was revoked in between is 401 at the next tool', async () => {
  const person = await newPerson()
  const { access_token: token } = await newTokens(person, await newApp(person))
  expect((await search({ bearer: token })).status).toBe(200)
  const { body } = await call('GET', '/v1/grants', { headers: person.session })
  await call('DELETE', `/v1/grants/${body.data[0].id}`, { headers: person.session })
  expect((await search({ bearer: token })).status).toBe(401)
})

test('a token without the scope of a tool is 403, names it beside those that it has, and leaves one audit row', async () => {
  const person = await newPerson()
  const app = await newApp(person, { scopes: ['read:memory', 'write:memory'] })
  const { body } = await call('POST', '/auth/token', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    raw: new URLSearchParams({
      client_id: app.client_id,
      client_secret: app.client_secret,
      grant_type: 'refresh_token',
      refresh_token: (await newTokens(person, app)).refresh_token,
      scope: 'read:memory',
    }),
  })
  const store = { name: 'store_memory', arguments: { content: 'tea' } }
  for (const send of [rpc, modernRpc]) {
    const answer = await send('tools/call', store, { bearer: body.access_token })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp", error="insufficient_scope", scope="read:memory write:memory"`,
    )
  }
  await expectAudited(person.tenantId, ['memory.store insufficient_scope'])
  expect(await notAudited(person.tenantId, ['memory.store'])).toEqual(['memory.store'])
})

test('security 57: a key without the scope of a tool is refused as over REST', async () => {
  const { key } = await newTenant({ scopes: ['read:memory'] })
  const { status, body } = await rpc('tools/call', { name: 'whoami', arguments: {} }, { bearer: key })
  expect({ status, code: body.code }).toEqual({ status: 403, code: 'insufficient_scope' })
})

test('the audit row of a tool is that of its operation, and has the id of the request', async () => {
  const tenant = await newTenant()
  const stored = await useTool('store_memory', { content: 'The kettle is blue.' }, { bearer: tenant.key })
  await useTool('get_memory', { id: stored.result.id }, { bearer: tenant.key })
  await expectAudited(tenant.tenantId, ['memory.store', 'memory.retrieve'])
  const { body } = await call('GET', `/v1/audit?resource_id=${stored.result.id}`, { key: tenant.key })
  const row = body.data.find((one: { action: string }) => one.action === 'memory.store')
  expect(row).toMatchObject({ request_id: stored.headers.get('x-request-id'), outcome: 'success' })
})
